-- Anybody may ask for a link to any address: a newer one leaves the older ones open, and the first that is used closes them.
drop index password_resets_open;
drop index password_resets_open_staff;
