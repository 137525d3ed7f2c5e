import { statusFacts } from '#domain/documents/facts.ts'
import { documentStates, documentStatusNames, type DocumentStatus } from '#domain/documents/kinds.ts'
import * as facts from '#kit/server/data/documentFacts.ts'
import { listState } from './edits.ts'
import { nextMigration, Refusal, type Template } from './plan.ts'

/** The states a new one of each stage is counted like: the last of its stage, behind which it is listed. */
const models: Readonly<Record<string, DocumentStatus>> = {
  open: 'partlyClosed',
  closed: 'closed',
  cancelled: 'cancelled',
}
const followers: Readonly<Record<string, readonly DocumentStatus[]>> = {
  open: ['issued', 'partlyClosed', 'closed', 'cancelled'],
  closed: ['issued', 'partlyClosed', 'cancelled'],
  cancelled: [],
}

/** A condition on states with the new one beside its model: `= 'a'` becomes `in ('a', 'b')`. */
const widened = (condition: string, model: string, name: string): string =>
  condition
    .replace(/ = '(\w+)'$/, " in ('$1')")
    .replace(/ <> '(\w+)'$/, " not in ('$1')")
    .replace(`'${model}'`, `'${model}', '${name}'`)

/** The conditions of documents whose text the new state changes, as they are and as they become. */
function changedConditions(model: DocumentStatus, name: string): [before: string, after: string][] {
  const texts = Object.values(facts).flatMap((fact) => {
    if (fact.length > 1) return []
    try {
      return [facts.textOf((fact as typeof facts.isDraft)())]
    } catch {
      return []
    }
  })
  return [...new Set(texts)]
    .filter((text) => text.startsWith('status ') && text.includes(`'${model}'`))
    .map((text) => [text, widened(text, model, name)])
}

/** A state of documents: its line in the list, the check of the database, and its word. */
export const documentState: Template = {
  usage: 'documentState <name> --stage=open --label="Disputed"',
  asks: {
    stage: 'Is such a document open, closed or cancelled',
    label: 'What is the state called',
  },
  make: ({ name, words }) => {
    const stage = words.stage!
    const model = models[stage]
    if (name in documentStates) throw new Refusal(`${name} is a state already`)
    if (!model) throw new Refusal(`a new state is one of ${Object.keys(models).join(', ')}`)
    const id = Math.max(...documentStatusNames.map((one) => documentStates[one].id)) + 1
    const all = documentStatusNames.flatMap((one) => (one === model ? [one, name] : [one]))
    const changed = changedConditions(model, name)
    return {
      files: {
        [nextMigration(`state-${name}`)]: migrationOf(name, all, changed, statusFacts(model).isOpen),
      },
      edits: listState({
        name,
        id,
        stage,
        model,
        becomes: followers[stage]!,
        changed,
        isLike: statusFacts(model),
      }),
      texts: { [`documents.status.${name}`]: 'label' },
      tables: true,
      steps: [
        `src/domain/documents/kinds.ts: which states ${name} follows (becomes of the others), and which follow it`,
        `the command that gives a document this state: src/features/sales/documents/server/issuing`,
        `if programs are to be told: an event in src/features/sales/documents/server/events.ts and in documents_told`,
      ],
    }
  },
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const pairs = (changed: readonly [string, string][]): string =>
  changed.map(([before, after]) => `      (${quoted(before)},\n        ${quoted(after)})`).join(',\n')

/** A condition as the database prints it: `in ('a', 'b')` is `= ANY (ARRAY['a'::text, 'b'::text])`. */
const printed = (condition: string): string =>
  condition
    .replaceAll(/'(\w+)'/g, "'$1'::text")
    .replace(/ not in \((.*)\)$/, ' <> ALL (ARRAY[$1])')
    .replace(/ in \((.*)\)$/, ' = ANY (ARRAY[$1])')

function migrationOf(
  name: string,
  all: readonly string[],
  changed: readonly [string, string][],
  isOpen: boolean,
): string {
  const open = changed.find(([before]) => before === facts.textOf(facts.isOpen()))
  return `-- Documents may have the state ${name}.
alter table documents
  drop constraint documents_status_check,
  add constraint documents_status_check check (status in (${all.map((one) => `'${one}'`).join(', ')}));

-- Functions and triggers that ask for states that ${name} is counted like ask for ${name} as well. Their conditions name
-- the row (new.status); an assignment does not.
do $$
declare
  one record;
begin
  for one in
    select p.oid, f.before, f.after from pg_proc p cross join (values
${pairs(changed)}) f (before, after)
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prosrc like '%.' || f.before || '%'
  loop
    execute replace(pg_get_functiondef(one.oid), '.' || one.before, '.' || one.after);
  end loop;
  for one in
    select t.tgname, f.before, f.after from pg_trigger t cross join (values
${pairs(changed.map(([before, after]) => [printed(before), printed(after)]))}) f (before, after)
    where t.tgrelid = 'documents'::regclass and not t.tgisinternal
      and pg_get_triggerdef(t.oid) like '%.' || f.before || '%'
  loop
    one.after := replace((select pg_get_triggerdef(t.oid) from pg_trigger t where t.tgrelid = 'documents'::regclass
      and t.tgname = one.tgname), '.' || one.before, '.' || one.after);
    execute format('drop trigger %I on documents', one.tgname);
    execute one.after;
  end loop;
end $$;
${
  isOpen && open
    ? `
-- Its index says the same as the reports of open orders.
drop index documents_open_orders;
create index documents_open_orders on documents (company_id, type, day)
  where type in (2, 7) and ${open[1]};
`
    : ''
}`
}
