-- Accountants who keep their books with Hashavshevet take the movements over as its movement file; what was made is listed with the other exports.

alter table uniform_files drop constraint uniform_files_kind_check;
alter table uniform_files add constraint uniform_files_kind_check check (kind in ('uniform', 'hledger', 'csv', 'hashavshevet'));
