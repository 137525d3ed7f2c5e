-- Papers wait here until somebody files them as an expense: what came in, what was read from it, and what was learned from its supplier.

create table captured_papers (
  company_id uuid not null references companies,
  id uuid not null,
  -- Absent for a letter that came without a paper: its text is the note.
  file_id uuid,
  sha256 bytea,
  name text not null check (length(name) between 1 and 200),
  source text not null check (source in ('upload', 'phone', 'mail')),
  sender text not null default '',
  subject text not null default '',
  note text not null default '',
  state text not null default 'waiting' check (state in ('waiting', 'reading', 'read', 'filed', 'rejected')),
  -- The same bytes came before, as that paper.
  duplicate_of uuid,
  -- A part of a file that holds several papers; whole when absent.
  page_from smallint check (page_from >= 1),
  page_to smallint,
  page_count smallint not null default 0,
  -- Why nothing could be read.
  problem text check (problem in ('broken', 'tooLarge', 'locked', 'tooSlow', 'failed')),
  -- Read from an electronic invoice: nothing of it is a guess.
  exact boolean not null default false,
  proposal jsonb not null default '{}',
  -- The lines of an electronic invoice.
  lines jsonb not null default '[]',
  text text not null default '',
  thumbnail bytea,
  supplier_id uuid,
  expense_id uuid,
  attempts smallint not null default 0,
  -- Until when the process that reads it may take; then another takes it.
  lease_until timestamptz,
  entered_by uuid,
  filed_by uuid,
  filed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, file_id) references files (company_id, id),
  foreign key (company_id, duplicate_of) references captured_papers (company_id, id),
  foreign key (company_id, supplier_id) references parties (company_id, id),
  check (page_to >= page_from),
  check (file_id is not null or note <> ''),
  check ((state = 'filed') = (filed_at is not null))
);
create index captured_papers_by_state on captured_papers (company_id, state, created_at, id);
create index captured_papers_by_content on captured_papers (company_id, sha256);
-- The reader takes the oldest paper of any business, so this one stands by time alone; it holds only what is still unread.
create index captured_papers_unread on captured_papers (created_at) where state in ('waiting', 'reading');
select secure_table('captured_papers', 'select, insert, update');

create table captured_pages (
  company_id uuid not null,
  paper_id uuid not null,
  page smallint not null check (page between 0 and 99),
  -- Of the picture's words: [text, x, y, w, h, confidence], places in thousandths of the page, confidence in per cent.
  words jsonb not null,
  width real not null,
  height real not null,
  picture bytea not null,
  primary key (company_id, paper_id, page),
  foreign key (company_id, paper_id) references captured_papers (company_id, id) on delete cascade
);
select secure_table('captured_pages', 'select, insert, delete');

-- What people corrected: how a supplier is called, and where on his papers a value stands.
create table paper_memories (
  company_id uuid not null references companies,
  id uuid not null,
  tax_id text check (tax_id ~ '^\d{9}$'),
  name text not null check (length(name) between 1 and 200),
  folded text not null,
  supplier_id uuid,
  spots jsonb not null default '{}',
  times integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, supplier_id) references parties (company_id, id)
);
create unique index paper_memories_by_tax_id on paper_memories (company_id, tax_id) where tax_id is not null;
create unique index paper_memories_by_name on paper_memories (company_id, folded) where tax_id is null;
select secure_table('paper_memories', 'select, insert, update');

-- The address papers are mailed to. Its random part is the right to put papers in, kept in clear because it is shown again and again.
create table mail_addresses (
  company_id uuid not null references companies,
  token text not null unique check (token ~ '^[a-z2-7]{16,32}$'),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (company_id)
);
select secure_table('mail_addresses', 'select, insert, update');
