curl -H 'Authorization: Bearer TOKEN' BASE_URL/mail/v1/users/me/profile
