-- One picture a member, a file of their own. Three columns of the key: nobody wears somebody else's file.
alter table media drop constraint media_purpose_check;
alter table media add constraint media_purpose_check check (purpose in ('receipt', 'document', 'picture'));
alter table members add column picture_media_id uuid;
alter table members add constraint members_picture
  foreign key (workspace_id, picture_media_id, member_id) references media (workspace_id, media_id, member_id);
create index members_picture on members (workspace_id, picture_media_id) where picture_media_id is not null;
