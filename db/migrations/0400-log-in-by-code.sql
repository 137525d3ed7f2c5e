-- A code by text message may open a log-in; one that was asked for to choose a new password does not, nor the other way round.
alter table resets drop constraint resets_channel_check;
alter table resets add constraint resets_channel_check check (channel in ('mail', 'sms', 'login'));
