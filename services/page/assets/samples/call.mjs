const headers = { authorization: "Bearer TOKEN" };
const response = await fetch("BASE_URL/mail/v1/users/me/profile", { headers });
console.log(await response.json());
