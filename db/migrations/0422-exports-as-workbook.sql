-- Everything a business keeps as one workbook, listed with the other exports.

alter table uniform_files drop constraint uniform_files_kind_check;
alter table uniform_files add constraint uniform_files_kind_check check (kind in ('uniform', 'hledger', 'csv', 'hashavshevet', 'xlsx'));
