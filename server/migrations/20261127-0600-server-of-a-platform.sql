-- Which server members choose in the platform's own program; null where the brokerage has not said.
alter table trading_platforms add column client_server text;
