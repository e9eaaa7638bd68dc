-- What a member reads in; `language` stays the locale of numbers and dates. Null is as the browser has it.
alter table members add column text_language text;
