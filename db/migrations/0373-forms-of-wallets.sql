-- A form may be opened for one means alone, such as Bit; '' is the acquirer's own page with all it takes.
alter table charges add column wallet text not null default '' check (wallet in ('', 'bit', 'googlePay', 'applePay', 'payPal'));
