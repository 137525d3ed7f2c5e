import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { formatMoment } from '#domain/format.ts'
import { isAmount, type Field } from '#kit/fields/field.ts'
import type { ViewKind } from '../fields/cellViews.tsx'
import { fieldViews } from '../fields/fieldViews.tsx'
import { Note } from '../parts/Banner.tsx'
import { Button } from '../parts/Button.tsx'
import { Num } from '../parts/Num.tsx'
import { useDeedKeys } from '../parts/useKeys.ts'
import { useSession } from '../session/session.ts'
import { typeInto, type Typed } from '../shell/typedAhead.ts'
import { useWords, wordIfAny, type Words } from '../words/words.tsx'
import { useWordsOf } from '../words/wording.ts'
import { factsOf, isReachable } from './columns.tsx'
import { useDress } from './dress.ts'
import { fieldsOf, type AnyResource, type AnyRow, type Values } from './resources.ts'
import { useRecordForm, type RecordForm } from './useRecordForm.ts'
import './screens.css'

export interface ResourceFormProps {
  resource: AnyResource
  /** The record to change; a new one is made when absent. */
  record?: AnyRow
  /** What a new record begins with: the name typed in a document. */
  values?: Values
  /** Fields that are settled by the place one is in (the list a line belongs to): sent, but not asked for. */
  hidden?: readonly string[]
  onSaved: (row: AnyRow) => void
  onCancel?: () => void
  /** Only what is needed and what most people fill; the rest opens on demand. */
  compact?: boolean
  /** The form's id: its buttons may then be elsewhere (a sheet's foot), and it shows none. */
  id?: string
  /** Told of every change of these, for buttons that stand elsewhere. */
  onState?: (state: { dirty: boolean; busy: boolean }) => void
  /** Keeps what is typed when the page is left; on by default, off where a form lives for a moment. */
  keepsDraft?: boolean
  /** The cursor starts in the first field. */
  autoFocus?: boolean
  /** What was typed before the form was there. */
  begun?: () => Typed
  children?: ReactNode
}

/** Fields read as a pair stand beside each other. */
const isNarrow = (field: Field): boolean =>
  isAmount(field) ||
  ['taxId', 'phone', 'day', 'currency', 'email'].includes(field.kind) ||
  (field.kind === 'text' && (field.max ?? 200) <= 120)

/**
 * The form of a described resource: sections, inputs by kind, checks, the server's refusals under their
 * fields, and what was typed kept.
 */
export function ResourceForm(props: ResourceFormProps) {
  useWordsOf(props.resource.name)
  useDress(props.resource)
  const {
    resource,
    record,
    values: given,
    hidden = [],
    onSaved,
    onCancel,
    compact,
    id,
    onState,
    keepsDraft = true,
    autoFocus,
    begun,
  } = props
  const t = useWords()
  const session = useSession()
  const form = useRef<HTMLFormElement>(null)
  const ownId = useId()
  const fields = fieldsOf(resource)
  const sections = (resource.form as { section: string; fields: string[] }[])
    .map(({ section, fields: names }) => ({
      section,
      names: names.filter(
        (name) => !fields[name]!.computed && !hidden.includes(name) && isReachable(fields[name]!, session),
      ),
    }))
    .filter(({ names }) => names.length > 0)
  const names = sections.flatMap(({ names }) => names)
  const draftKey = keepsDraft
    ? `draft:${session?.Name ?? ''}:${session?.FullName ?? ''}:${resource.name}:${record?.id ?? 'new'}`
    : undefined
  const state = useRecordForm({ resource, record, given, names, form, draftKey, onSaved })
  const { dirty, busy } = state
  // Before the next key: Escape right after a letter asks too.
  useLayoutEffect(() => {
    onState?.({ dirty, busy })
  }, [onState, dirty, busy])
  useDeedKeys(form, () => void state.submit())
  useEffect(() => {
    const typed = begun?.()
    if (typed && form.current) typeInto(form.current, typed)
  }, [begun])
  const [all, setAll] = useState(!(compact || resource.isBrief))
  // A refused field that is folded away would be an error nobody sees.
  const hidesError =
    !all && Object.keys(state.errors).some((name) => !briefOf(resource, names).includes(name))
  if (hidesError) setAll(true)

  const brief = briefOf(resource, names)
  const shown = all ? sections : [{ section: '', names: brief }]
  return (
    <form
      ref={form}
      id={id ?? ownId}
      className="d-form"
      noValidate
      aria-label={t(record ? `${resource.name}.one` : `${resource.name}.new`)}
      onSubmit={(event) => {
        event.preventDefault()
        // A form inside another page's form (a sheet in the editor) must not send that one too: events bubble
        // through portals.
        event.stopPropagation()
        void state.submit()
      }}
    >
      {state.draft && (
        <Note
          tone="info"
          action={
            <span className="d-note-acts">
              <Button kind="quiet" size="s" onPress={state.dropDraft}>
                {t('kit.forms.dropDraft')}
              </Button>
              <Button kind="soft" size="s" onPress={state.takeDraft}>
                {t('kit.forms.takeDraft')}
              </Button>
            </span>
          }
        >
          {t('kit.forms.draft')} <Num>{formatMoment(new Date(state.draft.at))}</Num>
        </Note>
      )}
      {state.problem && <Note tone="late">{state.problem}</Note>}
      {shown.map(({ section, names }, i) => (
        <section
          key={section || 'brief'}
          className="d-section"
          aria-label={section ? t(`${resource.name}.sections.${section}`) : undefined}
        >
          {section && shown.length > 1 && <h2>{t(`${resource.name}.sections.${section}`)}</h2>}
          <div className="d-fields">
            {names.map((name, at) => (
              <FormField
                key={name}
                resource={resource}
                name={name}
                state={state}
                record={record}
                t={t}
                autoFocus={Boolean(autoFocus) && i === 0 && at === 0}
              />
            ))}
          </div>
        </section>
      ))}
      {!all && names.length > brief.length && (
        <div>
          <Button kind="quiet" size="s" icon={ChevronDown} onPress={() => setAll(true)}>
            {t('kit.forms.moreFields')}
          </Button>
        </div>
      )}
      {props.children}
      {id === undefined && (
        <div className="d-save">
          {onCancel && (
            <Button
              kind="quiet"
              onPress={() => {
                state.discard()
                onCancel()
              }}
            >
              {t('kit.forms.cancel')}
            </Button>
          )}
          <Button kind="primary" type="submit" busy={busy} keys="Ctrl S">
            {t('kit.forms.save')}
          </Button>
        </div>
      )}
    </form>
  )
}

/** The short form: what must be given, and the first section. */
function briefOf(resource: AnyResource, names: readonly string[]): string[] {
  const fields = fieldsOf(resource)
  const first = (resource.form as { fields: string[] }[])[0]?.fields ?? []
  return names.filter(
    (name) => fields[name]!.need || first.includes(name) || ['email', 'phone', 'price'].includes(name),
  )
}

interface FormFieldProps {
  resource: AnyResource
  name: string
  state: RecordForm
  record: AnyRow | undefined
  t: Words
  autoFocus: boolean
}

function FormField({ resource, name, state, record, t, autoFocus }: FormFieldProps) {
  const field = fieldsOf(resource)[name]!
  const hint = wordIfAny(t, `${resource.name}.hints.${name}`)
  // The name of a chosen record comes with the choice; what the record came with serves until then.
  const [chosen, setChosen] = useState<{ id: string; name: string }>()
  const value = state.values[name] ?? null
  const refName =
    field.kind !== 'ref'
      ? undefined
      : chosen?.id === value
        ? chosen.name
        : record?.[name] === value
          ? (record?.[`${name}Name`] as string | null)
          : null
  const facts = factsOf(resource, name, t)
  const search = facts.search
  const given = {
    ...facts,
    label: t(`${resource.name}.fields.${name}`),
    name,
    value,
    onChange: (next: unknown) => state.put({ [name]: next }),
    onBlur: () => state.left(name),
    optional: !field.need && field.kind !== 'flag',
    autoFocus,
    ...(hint === undefined ? {} : { hint }),
    ...(state.errors[name] ? { error: state.errors[name] } : {}),
    ...(field.kind === 'ref' ? { refName: refName ?? null } : {}),
    ...(search
      ? {
          search: async (query: string, signal: AbortSignal) => {
            const found = await search(query, signal)
            lastFound.set(name, found)
            return found
          },
        }
      : {}),
  }
  const Dressed = useDress(resource).inputs?.[name]
  const Input = fieldViews[field.kind as ViewKind].Input
  return (
    <div data-field={name} className={isNarrow(field) ? 'd-half' : undefined}>
      {Dressed ? (
        <Dressed {...given} values={state.values} put={state.put} />
      ) : (
        <Input
          {...given}
          onChange={(next) => {
            if (field.kind === 'ref' && typeof next === 'string') {
              const option = lastFound.get(name)?.find((one) => one.key === next)
              if (option) setChosen({ id: next, name: option.label })
            }
            state.put({ [name]: next })
          }}
        />
      )}
    </div>
  )
}

/** What each ref field found last: its input answers an id only, and the name must be shown at once. */
const lastFound = new Map<string, { key: string; label: string }[]>()
