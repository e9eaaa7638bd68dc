-- Operations of the same amount and without our tag that were met while a credit's outcome was not known, by the platform's
-- tickets. A person was shown them; what that person had looked at again is not asked about twice.
alter table platform_intents add column look_alikes text[] not null default '{}';
