#!/bin/sh
# Creates the files that deploy/compose.yaml needs and keeps existing ones: random secrets, and a self-signed certificate to
# replace by yours.
set -eu
cd "$(dirname "$0")/secrets"
umask 077

make_secret() {
  [ -s "$1" ] || openssl rand -hex 32 >"$1"
}

for name in atrium_key backup_key metrics_token database_password storage_secret; do make_secret "$name"; done
[ -s database_url ] || printf 'postgres://atrium_owner:%s@database:5432/atrium\n' "$(cat database_password)" >database_url
[ -s storage_users.json ] || cat >storage_users.json <<JSON
{
  "identities": [
    {
      "name": "atrium",
      "credentials": [{ "accessKey": "atrium", "secretKey": "$(cat storage_secret)" }],
      "actions": ["Admin", "Read", "Write", "List", "Tagging"]
    }
  ]
}
JSON
if [ ! -s certificate.pem ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost -keyout key.pem -out chain.pem 2>/dev/null
  cat chain.pem key.pem >certificate.pem
  rm chain.pem key.pem
fi
# Containers read the files as other users; on this machine only the owner can enter the folder.
chmod 700 . && chmod 644 ./*
