import json
import urllib.request

url = "BASE_URL/mail/v1/users/me/profile"
request = urllib.request.Request(url, headers={"Authorization": "Bearer TOKEN"})
print(json.load(urllib.request.urlopen(request)))
