-- The messages of a conversation, by date: threads are listed and read.
CREATE INDEX messages_by_thread ON messages (mailbox, thread, date, id);
