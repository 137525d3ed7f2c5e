-- Letters about saved cards are said in own words too; they go by mail alone and have no short message.
alter table standing_words drop constraint standing_words_sms_check;
alter table standing_words add constraint standing_words_sms_check check (length(sms) <= 300);
