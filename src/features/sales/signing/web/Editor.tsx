import {
  AlignLeft,
  Calendar,
  Copy,
  CreditCard,
  Fingerprint,
  Hash,
  Link2,
  ListChecks,
  Paperclip,
  PenLine,
  Plus,
  Save,
  Send,
  SquareCheck,
  Trash2,
  TriangleAlert,
  UserRound,
  type LucideIcon,
} from 'lucide-react'
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { call, callBytes, failureText, queryClient, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  copyTemplate,
  getTemplate,
  saveTemplate,
  templatePicture,
  type TemplateAnswer,
} from '../endpoints.ts'
import { checks, fieldKinds, merges, type FieldKind, type SignField, type SignRole } from '../shapes.ts'
import { signTemplates } from '../signing.ts'
import { BulkDialog } from './BulkDialog.tsx'
import { OpenDialog } from './OpenDialog.tsx'
import { Pages, placeOf } from './Pages.tsx'
import { SendDialog } from './SendDialog.tsx'
import { Within } from './Within.tsx'
import './signing.css'

export const kindIcons: Record<FieldKind, LucideIcon> = {
  signature: PenLine,
  initials: Fingerprint,
  name: UserRound,
  date: Calendar,
  text: AlignLeft,
  number: Hash,
  tick: SquareCheck,
  choice: ListChecks,
  file: Paperclip,
  pay: CreditCard,
}

const sizes: Record<FieldKind, [number, number]> = {
  signature: [180, 56],
  initials: [70, 30],
  name: [180, 20],
  date: [100, 20],
  text: [180, 20],
  number: [100, 20],
  tick: [16, 16],
  choice: [140, 20],
  file: [180, 20],
  pay: [180, 20],
}

/**
 * A template: its pages with fields to be placed, the fields as a list beside them, and who fills in which.
 */
export function Screen() {
  return (
    <Within screen="signTemplate">
      <Template />
    </Within>
  )
}

function Template() {
  const t = useWords()
  const { params } = usePlace()
  const id = params.key ?? ''
  const { data, error } = useCall(getTemplate, { id }, { refetchOnWindowFocus: false })
  useTitle(data?.name)
  if (error && !data)
    return (
      <EmptyState
        icon={TriangleAlert}
        title={t('signTemplates.notFound')}
        actions={<Button href={signTemplates.screens.list}>{t('signTemplates.title')}</Button>}
      >
        {failureText(t, error)}
      </EmptyState>
    )
  if (!data) return <Skeleton lines={8} />
  return <Editor key={`${data.id}:${data.version}`} of={data} />
}

const nextId = (taken: readonly string[], prefix: string): string => {
  for (let n = 1; ; n++) if (!taken.includes(`${prefix}${n}`)) return `${prefix}${n}`
}

function Editor({ of }: { of: TemplateAnswer }) {
  const t = useWords()
  const may = useCan()
  const mayChange = may('signing.templates') && !of.archivedAt
  const [roles, setRoles] = useState<SignRole[]>(of.roles)
  const [fields, setFields] = useState<SignField[]>(of.fields)
  const [role, setRole] = useState(of.roles[0]?.id ?? 'r1')
  const [chosen, setChosen] = useState<string>()
  const [saved, setSaved] = useState({ roles: of.roles, fields: of.fields })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [dialog, setDialog] = useState<'send' | 'bulk' | 'open'>()
  const [said, setSaid] = useState('')
  const isChanged = saved.roles !== roles || saved.fields !== fields
  const field = fields.find((one) => one.id === chosen)
  const change = useCallback(
    (id: string, what: Partial<SignField>) =>
      setFields((all) => all.map((one) => (one.id === id ? { ...one, ...what } : one))),
    [],
  )
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isChanged])
  const picture = useCallback(
    async (page: number, signal: AbortSignal) =>
      (await callBytes(templatePicture, { id: of.id, page }, { quiet: true, signal })).blob,
    [of.id],
  )

  /** Into the middle of the page that is seen most. */
  const add = (kind: FieldKind) => {
    const sheets = [...document.querySelectorAll<HTMLElement>('.sg-page')]
    const middle = window.innerHeight / 2
    const seen = sheets.toSorted((a, b) => distance(a, middle) - distance(b, middle))[0]
    const page = Number(seen?.dataset.page ?? 1)
    const shape = of.pages[page - 1]!
    const box = seen?.getBoundingClientRect()
    const [w, h] = sizes[kind]
    const down = box ? Math.min(Math.max((middle - box.top) / box.height, 0.05), 0.9) : 0.5
    const made: SignField = {
      id: nextId(
        fields.map((one) => one.id),
        'f',
      ),
      kind,
      role,
      page,
      x: Math.round(Math.max(0, (shape.width - w) / 2)),
      y: Math.round(Math.min(shape.height - h, shape.height * down)),
      w: Math.min(w, shape.width),
      h: Math.min(h, shape.height),
      label: '',
      must: kind !== 'tick',
      check: 'none',
      merge: kind === 'name' ? 'signer.name' : 'none',
      amountAgorot: null,
      options: kind === 'choice' ? [t('signing.field.optionYes'), t('signing.field.optionNo')] : [],
    }
    setFields([...fields, made])
    setChosen(made.id)
    setSaid(t('signing.editor.added', { kind: t(`signing.kind.${kind}`), page }))
  }
  const remove = (id: string) => {
    setFields(fields.filter((one) => one.id !== id))
    setChosen(undefined)
  }
  const save = async (): Promise<boolean> => {
    setBusy(true)
    setFailure(undefined)
    try {
      const made = await call(saveTemplate, { id: of.id, version: of.version, roles, fields })
      setSaved({ roles, fields })
      putAnswer(getTemplate, { id: of.id }, made)
      void queryClient.invalidateQueries({ queryKey: ['signTemplates.list'] })
      banner.success(t('signing.editor.saved', { version: made.version }))
      return true
    } catch (e) {
      setFailure(failureText(t, e))
      return false
    } finally {
      setBusy(false)
    }
  }
  const begin = (what: 'send' | 'bulk' | 'open') => {
    if (!isChanged) return setDialog(what)
    void save().then((isSaved) => isSaved && setDialog(what))
  }
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('signTemplates.title'), href: signTemplates.screens.list }]}
        title={<bdi>{of.name}</bdi>}
        status={of.open.isOpen ? <StatusPill tone="info">{t('signing.open.isOpen')}</StatusPill> : undefined}
        sub={t('signing.editor.sub', { version: of.version, pages: of.pages.length, fields: fields.length })}
        actions={
          <>
            {mayChange && (
              <Button icon={Save} busy={busy} isDisabled={!isChanged} onPress={() => void save()}>
                {t('signing.editor.save')}
              </Button>
            )}
            {may('signing.send') && !of.archivedAt && (
              <Button
                kind="primary"
                icon={Send}
                m
                isDisabled={fields.length === 0}
                onPress={() => begin('send')}
              >
                {t('signing.send.verb')}
              </Button>
            )}
          </>
        }
        more={[
          ...(may('signing.send') && !of.archivedAt
            ? [
                { key: 'bulk', label: t('signing.bulk.title'), icon: Send, onPress: () => begin('bulk') },
                { key: 'open', label: t('signing.open.title'), icon: Link2, onPress: () => begin('open') },
              ]
            : []),
          ...(mayChange
            ? [
                {
                  key: 'copy',
                  label: t('signTemplates.copy'),
                  icon: Copy,
                  onPress: () =>
                    void call(copyTemplate, { id: of.id })
                      .then(({ id }) => go(`/invoice/signtemplate/${id}`))
                      .catch((e: unknown) => banner.error(failureText(t, e))),
                },
              ]
            : []),
        ]}
      />
      {failure && <Note tone="late">{failure}</Note>}
      {of.isSent && mayChange && <Note>{t('signing.editor.isSent')}</Note>}
      <p className="sr-only" role="status">
        {said}
      </p>
      <div className="sg-desk">
        <Pages
          pages={of.pages}
          picture={picture}
          over={(page) =>
            fields
              .filter((one) => one.page === page)
              .map((one) => (
                <Placed
                  key={one.id}
                  field={one}
                  shape={of.pages[page - 1]!}
                  role={roles.findIndex((r) => r.id === one.role)}
                  roleName={roles.find((r) => r.id === one.role)?.name ?? ''}
                  isOn={one.id === chosen}
                  mayChange={mayChange}
                  onChoose={() => setChosen(one.id)}
                  onChange={(what) => change(one.id, what)}
                  onRemove={() => remove(one.id)}
                />
              ))
          }
        />
        <div className="sg-stack sg-side">
          {mayChange && (
            <Card title={t('signing.editor.add')} hint={t('signing.editor.addHint')}>
              <div className="sg-stack">
                {roles.length > 1 && (
                  <ChoiceField
                    label={t('signing.field.role')}
                    value={role}
                    onChange={(next) => setRole(next ?? roles[0]!.id)}
                    choices={roles.map((one) => ({ value: one.id, label: one.name }))}
                  />
                )}
                <div className="sg-row">
                  {fieldKinds.map((kind) => (
                    <Button key={kind} size="s" icon={kindIcons[kind]} onPress={() => add(kind)}>
                      {t(`signing.kind.${kind}`)}
                    </Button>
                  ))}
                </div>
              </div>
            </Card>
          )}
          {field && (
            <Properties
              key={field.id}
              field={field}
              roles={roles}
              pages={of.pages}
              mayChange={mayChange}
              onChange={(what) => change(field.id, what)}
              onRemove={() => remove(field.id)}
            />
          )}
          <Card title={t('signing.editor.fields')}>
            {fields.length === 0 ? (
              <p className="hint">{t('signing.editor.noFields')}</p>
            ) : (
              <ul className="sg-list">
                {fields
                  .toSorted((a, b) => a.page - b.page || a.y - b.y || a.x - b.x)
                  .map((one) => (
                    <li key={one.id}>
                      <button
                        type="button"
                        className="sg-item w-full"
                        data-on={one.id === chosen || undefined}
                        aria-pressed={one.id === chosen}
                        onClick={() => {
                          setChosen(one.id)
                          document
                            .getElementById(`sg-${one.id}`)
                            ?.scrollIntoView({ block: 'center', behavior: 'smooth' })
                        }}
                      >
                        <Icon of={kindIcons[one.kind]} size="s" />
                        <span className="what">
                          <bdi>{one.label || t(`signing.kind.${one.kind}`)}</bdi>
                        </span>
                        <span className="hint text-12">
                          {t('signing.editor.place', {
                            role: roles.find((r) => r.id === one.role)?.name ?? '',
                            page: one.page,
                          })}
                        </span>
                      </button>
                    </li>
                  ))}
              </ul>
            )}
          </Card>
          <Roles
            roles={roles}
            fields={fields}
            mayChange={mayChange}
            onChange={(next) => {
              setRoles(next)
              if (!next.some((one) => one.id === role)) setRole(next[0]!.id)
            }}
          />
        </div>
      </div>
      {dialog === 'send' && <SendDialog of={{ ...of, roles, fields }} onClose={() => setDialog(undefined)} />}
      {dialog === 'bulk' && <BulkDialog of={of} onClose={() => setDialog(undefined)} />}
      {dialog === 'open' && <OpenDialog of={of} onClose={() => setDialog(undefined)} />}
    </>
  )
}

const distance = (element: HTMLElement, middle: number): number => {
  const { top, bottom } = element.getBoundingClientRect()
  return top <= middle && bottom >= middle ? 0 : Math.min(Math.abs(top - middle), Math.abs(bottom - middle))
}

interface PlacedProps {
  field: SignField
  shape: { width: number; height: number }
  role: number
  roleName: string
  isOn: boolean
  mayChange: boolean
  onChoose: () => void
  onChange: (what: Partial<SignField>) => void
  onRemove: () => void
}

/** A field on its page: dragged by pointer or finger, moved by arrows and sized by arrows with Shift. */
function Placed({
  field,
  shape,
  role,
  roleName,
  isOn,
  mayChange,
  onChoose,
  onChange,
  onRemove,
}: PlacedProps) {
  const t = useWords()
  const drag = useRef<{ x: number; y: number; of: SignField; sizes: boolean } | undefined>(undefined)
  const inside = (x: number, y: number, w: number, h: number): Partial<SignField> => {
    const width = Math.min(Math.max(w, 8), shape.width)
    const height = Math.min(Math.max(h, 8), shape.height)
    const round = (value: number) => Math.round(value * 10) / 10
    return {
      x: round(Math.min(Math.max(x, 0), shape.width - width)),
      y: round(Math.min(Math.max(y, 0), shape.height - height)),
      w: round(width),
      h: round(height),
    }
  }
  const begin = (event: PointerEvent<HTMLElement>, isSizing: boolean) => {
    onChoose()
    if (!mayChange || event.button !== 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, y: event.clientY, of: field, sizes: isSizing }
  }
  const move = (event: PointerEvent<HTMLElement>) => {
    const from = drag.current
    const page = event.currentTarget.closest<HTMLElement>('.sg-page')
    if (!from || !page) return
    const scale = shape.width / page.clientWidth
    const [dx, dy] = [(event.clientX - from.x) * scale, (event.clientY - from.y) * scale]
    const { x, y, w, h } = from.of
    onChange(from.sizes ? inside(x, y, w + dx, h + dy) : inside(x + dx, y + dy, w, h))
  }
  const end = () => {
    drag.current = undefined
  }
  const keys = (event: KeyboardEvent) => {
    if (!mayChange) return
    const step = event.ctrlKey || event.metaKey ? 1 : 6
    const by: Record<string, [number, number]> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    }
    const to = by[event.key]
    const { x, y, w, h } = field
    if (to) onChange(event.shiftKey ? inside(x, y, w + to[0], h + to[1]) : inside(x + to[0], y + to[1], w, h))
    else if (event.key === 'Delete' || event.key === 'Backspace') onRemove()
    else return
    event.preventDefault()
  }
  const kind = t(`signing.kind.${field.kind}`)
  return (
    <button
      type="button"
      id={`sg-${field.id}`}
      className="sg-field"
      title={field.label || kind}
      data-also="list"
      data-role={role}
      data-on={isOn || undefined}
      style={placeOf(shape, field)}
      aria-label={t('signing.editor.fieldName', { kind, label: field.label || kind, role: roleName })}
      aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Shift+ArrowRight Delete"
      onFocus={onChoose}
      onPointerDown={(event) => begin(event, false)}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={keys}
    >
      <Icon of={kindIcons[field.kind]} size="s" />
      <bdi>{field.label || kind}</bdi>
      {isOn && mayChange && (
        <span
          className="sg-grip"
          aria-hidden
          onPointerDown={(event) => begin(event, true)}
          onPointerMove={move}
          onPointerUp={end}
          onPointerCancel={end}
        />
      )}
    </button>
  )
}

function Properties({
  field,
  roles,
  pages,
  mayChange,
  onChange,
  onRemove,
}: {
  field: SignField
  roles: readonly SignRole[]
  pages: readonly { width: number; height: number }[]
  mayChange: boolean
  onChange: (what: Partial<SignField>) => void
  onRemove: () => void
}) {
  const t = useWords()
  const shape = pages[field.page - 1]!
  const [options, setOptions] = useState(field.options.join('\n'))
  const isText = ['text', 'name', 'number', 'date', 'choice'].includes(field.kind)
  const place = (key: 'x' | 'y' | 'w' | 'h', most: number) => (
    <WholeField
      label={t(`signing.field.${key}`)}
      value={Math.round(field[key])}
      disabled={!mayChange}
      onChange={(next) =>
        next !== null &&
        onChange({ [key]: Math.min(Math.max(next, key === 'w' || key === 'h' ? 8 : 0), Math.floor(most)) })
      }
    />
  )
  return (
    <Card
      title={t(`signing.kind.${field.kind}`)}
      end={
        mayChange && (
          <Button kind="quiet" size="s" icon={Trash2} label={t('signing.field.remove')} onPress={onRemove} />
        )
      }
    >
      <div className="sg-stack">
        <TextField
          label={t('signing.field.label')}
          value={field.label}
          optional
          disabled={!mayChange}
          max={80}
          onChange={(label) => onChange({ label })}
        />
        {roles.length > 1 && (
          <ChoiceField
            label={t('signing.field.role')}
            value={field.role}
            disabled={!mayChange}
            onChange={(next) => next && onChange({ role: next })}
            choices={roles.map((one) => ({ value: one.id, label: one.name }))}
          />
        )}
        <FlagField
          label={t('signing.field.must')}
          value={field.must}
          onChange={(must) => mayChange && onChange({ must })}
        />
        {field.kind === 'pay' && (
          <MoneyField
            label={t('signing.field.amount')}
            hint={t('signing.field.amountHint')}
            value={field.amountAgorot ?? null}
            optional
            disabled={!mayChange}
            onChange={(amountAgorot) => onChange({ amountAgorot })}
          />
        )}
        {field.kind === 'choice' && (
          <LongText
            label={t('signing.field.options')}
            hint={t('signing.field.optionsHint')}
            rows={3}
            value={options}
            onChange={(next) => {
              setOptions(next)
              onChange({
                options: next
                  .split('\n')
                  .map((one) => one.trim().slice(0, 80))
                  .filter(Boolean)
                  .slice(0, 20),
              })
            }}
          />
        )}
        {field.kind === 'text' && (
          <ChoiceField
            as="list"
            label={t('signing.field.check')}
            value={field.check}
            disabled={!mayChange}
            onChange={(check) => onChange({ check: check ?? 'none' })}
            choices={checks.map((value) => ({ value, label: t(`signing.check.${value}`) }))}
          />
        )}
        {isText && (
          <ChoiceField
            as="list"
            label={t('signing.field.merge')}
            value={field.merge}
            disabled={!mayChange}
            onChange={(merge) => onChange({ merge: merge ?? 'none' })}
            choices={merges.map((value) => ({ value, label: t(`signing.merge.${value}`) }))}
          />
        )}
        <div className="sg-two">
          <WholeField
            label={t('signing.field.page')}
            value={field.page}
            disabled={!mayChange}
            onChange={(next) =>
              next !== null && onChange({ page: Math.min(Math.max(next, 1), pages.length) })
            }
          />
          <span />
          {place('x', shape.width - field.w)}
          {place('y', shape.height - field.h)}
          {place('w', shape.width - field.x)}
          {place('h', shape.height - field.y)}
        </div>
      </div>
    </Card>
  )
}

function Roles({
  roles,
  fields,
  mayChange,
  onChange,
}: {
  roles: readonly SignRole[]
  fields: readonly SignField[]
  mayChange: boolean
  onChange: (roles: SignRole[]) => void
}) {
  const t = useWords()
  const change = (id: string, what: Partial<SignRole>) =>
    onChange(roles.map((one) => (one.id === id ? { ...one, ...what } : one)))
  return (
    <Card title={t('signing.roles.title')} hint={t('signing.roles.hint')}>
      <div className="sg-stack">
        {roles.map((one) => (
          <fieldset key={one.id} className="sg-person">
            <legend className="sr-only">{one.name}</legend>
            <TextField
              label={t('signing.roles.name')}
              value={one.name}
              max={60}
              disabled={!mayChange}
              onChange={(name) => change(one.id, { name })}
            />
            <div className="sg-two">
              <WholeField
                label={t('signing.roles.order')}
                value={one.order}
                disabled={!mayChange}
                onChange={(next) => change(one.id, { order: Math.min(Math.max(next ?? 1, 1), 20) })}
              />
              <MoneyField
                label={t('signing.roles.above')}
                value={one.above}
                optional
                disabled={!mayChange}
                onChange={(above) => change(one.id, { above })}
              />
            </div>
            {mayChange && roles.length > 1 && !fields.some((field) => field.role === one.id) && (
              <Button
                kind="quiet"
                size="s"
                icon={Trash2}
                onPress={() => onChange(roles.filter(({ id }) => id !== one.id))}
              >
                {t('signing.roles.remove')}
              </Button>
            )}
          </fieldset>
        ))}
        {mayChange && roles.length < 10 && (
          <Button
            icon={Plus}
            onPress={() =>
              onChange([
                ...roles,
                {
                  id: nextId(
                    roles.map(({ id }) => id),
                    'r',
                  ),
                  name: t('signing.roles.another', { number: roles.length + 1 }),
                  order: Math.max(...roles.map(({ order }) => order)) + 1,
                  above: null,
                },
              ])
            }
          >
            {t('signing.roles.add')}
          </Button>
        )}
      </div>
    </Card>
  )
}
