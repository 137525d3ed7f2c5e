import { X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { LanguageCode } from '#domain/languages.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { exemptGrounds, groundsOffered, zeroGrounds } from '#domain/vat/grounds.ts'
import type { FieldProps } from '#kit/web/fields/Field.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { CurrencyField, LanguageField } from '#kit/web/fields/SmallChoices.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FewChips } from '#kit/web/parts/FewChips.tsx'
import { call, useCall } from '#kit/web/calls/call.ts'
import { useKept } from '#kit/web/screens/kept.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { agents } from '#features/registers/parties/classifications.ts'
import { projects } from '#features/registers/projects/projects.ts'
import { useRateOfDay } from '#features/registers/rates/web/index.tsx'
import { branchNames } from '../../endpoints.ts'
import { isPurchase, typeById } from '../../types/index.ts'
import { chipsInOrder, extras, type EditorChip, type Extra } from './chips.ts'
import { DeliverToField } from './DeliverTo.tsx'
import { DiscountField } from './DiscountField.tsx'
import {
  BILLING_ACCOUNT,
  deliversTo,
  hasPart,
  isEmpty,
  exemptGroundInUse,
  groundsToKeep,
  zeroGroundInUse,
  type Change,
  type Edited,
  type GroundName,
  type Refusals,
} from './model.ts'

/** Whether a rare thing is in use already. */
const isUsed = (edited: Edited, extra: Extra): boolean => {
  switch (extra) {
    case 'discount':
      return edited.discount !== null
    case 'project':
      return Boolean(edited.project)
    case 'agent':
      return edited.agent !== null
    case 'currency':
      return edited.currency !== 'ILS'
    case 'language':
      return edited.language !== null && edited.language !== edited.customer?.language
    case 'rounding':
      return edited.rounding !== null
    case 'zeroGround':
      return edited.customer?.zeroRate === true
    case 'exemptGround':
      return exemptGroundInUse(edited) !== null
    case 'billing':
      return edited.subType !== 0
    case 'pro':
      return edited.pro
    case 'deliverTo':
      return Boolean(edited.deliverTo) || (edited.deliverTo === undefined && deliversTo(edited) !== undefined)
    default:
      return edited[extra] !== ''
  }
}

/** Documents with lines that say how VAT treats them; what is bought is taxed by its seller. */
const bearsVat = ({ type }: Edited): boolean => {
  const found = typeById(type)
  return found !== undefined && hasPart(type, 'lines') && !isPurchase(found)
}

/** Whether a paper of this type can say it at all. */
function isOffered(edited: Edited, extra: Extra, moneyOnly: boolean): boolean {
  switch (extra) {
    case 'discount':
      return hasPart(edited.type, 'discount')
    case 'deliverTo':
      return hasPart(edited.type, 'deliverTo')
    case 'rounding':
      return hasPart(edited.type, 'lines') && !moneyOnly
    case 'zeroGround':
      return bearsVat(edited) && edited.customer?.zeroRate === true
    case 'exemptGround':
      return bearsVat(edited) && edited.lines.some((line) => line.vatKind === 4 && !isEmpty(line))
    case 'agent': {
      const type = typeById(edited.type)
      return type !== undefined && !isPurchase(type)
    }
    case 'billing':
      return edited.type === documentTypes.paymentRequest.id
    case 'pro':
      return edited.type === documentTypes.priceQuote.id
    default:
      return true
  }
}

/**
 * A name that differs by a single character begins a separate series by law: names that have one are offered, and a
 * new one is marked as new.
 */
function Branch(props: FieldProps<string>) {
  const t = useWords()
  const { data } = useCall(branchNames, {})
  const names = data?.names ?? []
  const typed = props.value.trim()
  const isNew = !!data && typed !== '' && !names.includes(typed)
  return (
    <div className="doc-branch">
      <TextField
        {...props}
        hint={isNew ? t('documents.editor.branchNew', { branch: typed }) : t('documents.editor.branchHint')}
        max={20}
        autoFocus={props.value === ''}
      />
      {names
        .filter((name) => name !== typed)
        .map((name) => (
          <Button key={name} onPress={() => props.onChange(name)}>
            <bdi>{name}</bdi>
          </Button>
        ))}
    </div>
  )
}

const emptied: Record<Extra, Partial<Edited>> = {
  discount: { discount: null },
  notes: { notes: '' },
  notesBelow: { notesBelow: '' },
  notesInternal: { notesInternal: '' },
  orderNumber: { orderNumber: '' },
  project: { project: null },
  agent: { agent: null },
  currency: { currency: 'ILS', rate: null, hidesIls: null },
  language: { language: null },
  zeroGround: { zeroGround: null },
  exemptGround: { exemptGround: null },
  rounding: { rounding: null },
  billing: { subType: 0 },
  pro: { pro: false },
  branch: { branch: '' },
  deliverTo: { deliverTo: null },
}

export interface ExtrasProps {
  edited: Edited
  put: (change: Extract<Change, { do: 'put' }>['change']) => void
  refusals: Refusals['fields']
  languageNow: LanguageCode
  roundingNow: 'none' | 'whole' | 'half'
  moneyOnly: boolean
  /** Whether a ground is kept with the customer when the document is issued; undefined: the person may not. */
  keeps: ((name: GroundName) => boolean) | undefined
  onKeeps: (name: GroundName, keeps: boolean) => void
}

/** The offer to keep a ground with the customer, below the choice of another one than the customer's. */
function KeepGround({
  name,
  edited,
  keeps,
  onKeeps,
}: { name: GroundName } & Pick<ExtrasProps, 'edited' | 'keeps' | 'onKeeps'>) {
  const t = useWords()
  if (!keeps || !groundsToKeep(edited)[name]) return null
  return (
    <div className="mt-3">
      <FlagField
        label={t('documents.editor.keepGround', { customer: edited.customer!.name })}
        value={keeps(name)}
        onChange={(on) => onKeeps(name, on)}
      />
    </div>
  )
}

async function workers(query: string, signal: AbortSignal) {
  const { rows } = await call(callsOf(agents).list, { size: 10, q: query || undefined }, { signal })
  return rows.map((row) => ({ key: row.id, label: String(row.name) }))
}

/** Closed projects take no more papers. */
async function openProjects(query: string, signal: AbortSignal) {
  const { rows } = await call(
    callsOf(projects).list,
    { size: 10, state: 'open', q: query || undefined },
    { signal },
  )
  return rows.map((row) => ({
    key: row.id,
    label: String(row.name),
    hint: (row.number as string | null) ?? undefined,
  }))
}

/** Rare options are chips that add themselves: none of them is in the way of an ordinary invoice. */
export function useExtras(edited: Edited) {
  const [open, setOpen] = useState<ReadonlySet<Extra>>(
    () => new Set(extras.filter((extra) => isUsed(edited, extra))),
  )
  const isOpen = (extra: Extra) => open.has(extra) || isUsed(edited, extra)
  return {
    isOpen,
    open: (extra: Extra) => setOpen((before) => new Set(before).add(extra)),
    close: (extra: Extra) =>
      setOpen((before) => {
        const next = new Set(before)
        next.delete(extra)
        return next
      }),
  }
}

export type OpenExtras = ReturnType<typeof useExtras>

export interface ExtraChipsProps {
  edited: Edited
  extras: OpenExtras
  moneyOnly: boolean
  put: ExtrasProps['put']
  /** Chips that open more than a field, where they are offered. */
  others: Partial<Record<Exclude<EditorChip, Extra>, () => void>>
}

export function ExtraChips({ edited, extras: held, moneyOnly, put, others }: ExtraChipsProps) {
  const t = useWords()
  const may = useCan()
  const hidden = useSession()?.areasHidden
  const left = extras.filter(
    (extra) =>
      !held.isOpen(extra) &&
      isOffered(edited, extra, moneyOnly) &&
      (extra !== 'project' || (may(projects.allow.see) && !hidden?.includes('projects'))) &&
      (extra !== 'agent' || may(agents.allow.see)),
  )
  const [used, setUsed] = useKept<Partial<Record<EditorChip, number>>>('documentExtras', {})
  // As it was when the editor opened: a chip that has just been taken does not move the others.
  const [often] = useState(used)
  const add = (chip: EditorChip) => {
    // A label needs no more than to be asked for.
    if (chip === 'billing') put({ subType: BILLING_ACCOUNT })
    if (chip === 'pro') put({ pro: true })
    setUsed({ ...used, [chip]: (used[chip] ?? 0) + 1 })
    if (chip === 'lines' || chip === 'files') others[chip]?.()
    else held.open(chip)
  }
  const offered: EditorChip[] = [...left, ...(['lines', 'files'] as const).filter((chip) => others[chip])]
  return (
    <FewChips
      className="doc-chips"
      label={t('documents.editor.extras')}
      more={t('documents.editor.moreDetails')}
      chips={chipsInOrder(edited.type, offered, often).map((chip) => ({
        key: chip,
        label: chip === 'files' ? t('documents.files.add') : t(`documents.editor.extra.${chip}`),
        onPress: () => add(chip),
      }))}
    />
  )
}

export function ExtraFields({
  edited,
  put,
  refusals,
  extras: held,
  languageNow,
  roundingNow,
  moneyOnly,
  keeps,
  onKeeps,
}: ExtrasProps & { extras: OpenExtras }) {
  const t = useWords()
  const proposed = useRateOfDay({
    currency: edited.currency,
    day: edited.date,
    rate: edited.rate,
    onRate: (rate) => put({ rate }),
  })
  const shown = extras.filter((extra) => held.isOpen(extra) && isOffered(edited, extra, moneyOnly))
  if (shown.length === 0) return null
  const said = (name: string) =>
    refusals[name] ? t(`errors.${refusals[name].code}`, refusals[name].params) : undefined
  const label = (extra: Extra) => t(`documents.editor.extra.${extra}`)
  const fields: Record<Extra, ReactNode> = {
    discount: (
      <DiscountField
        label={label('discount')}
        value={edited.discount}
        onChange={(discount) => put({ discount })}
        currency={edited.currency}
        error={said('discount')}
        autoFocus={edited.discount === null}
      />
    ),
    notes: (
      <LongText
        label={label('notes')}
        rows={2}
        max={4000}
        value={edited.notes}
        onChange={(notes) => put({ notes })}
        error={said('notes')}
        autoFocus={edited.notes === ''}
      />
    ),
    notesBelow: (
      <LongText
        label={label('notesBelow')}
        rows={2}
        max={4000}
        value={edited.notesBelow}
        onChange={(notesBelow) => put({ notesBelow })}
        error={said('notesBelow')}
        autoFocus={edited.notesBelow === ''}
      />
    ),
    notesInternal: (
      <LongText
        label={label('notesInternal')}
        hint={t('documents.editor.internalHint')}
        rows={2}
        max={4000}
        value={edited.notesInternal}
        onChange={(notesInternal) => put({ notesInternal })}
        autoFocus={edited.notesInternal === ''}
      />
    ),
    orderNumber: (
      <TextField
        label={label('orderNumber')}
        value={edited.orderNumber}
        onChange={(orderNumber) => put({ orderNumber })}
        max={40}
        error={said('orderNumber')}
        autoFocus={edited.orderNumber === ''}
      />
    ),
    project: (
      <RefField
        label={label('project')}
        value={edited.project ? { key: edited.project.id, label: edited.project.name } : null}
        onChange={(option) => put({ project: option && { id: option.key, name: option.label } })}
        search={openProjects}
        error={said('projectId')}
        clearable
        autoFocus={!edited.project}
      />
    ),
    agent: (
      <RefField
        label={label('agent')}
        hint={t('documents.editor.agentHint')}
        value={edited.agent ? { key: edited.agent.id, label: edited.agent.name } : null}
        onChange={(option) => put({ agent: option && { id: option.key, name: option.label } })}
        search={workers}
        error={said('agentId')}
        clearable
        autoFocus={!edited.agent}
      />
    ),
    currency: (
      <div className="doc-pair">
        <CurrencyField
          label={t('documents.fields.currency')}
          value={edited.currency}
          onChange={(currency) =>
            currency !== edited.currency && put({ currency: currency ?? 'ILS', rate: null })
          }
          autoFocus={edited.currency === 'ILS'}
        />
        {edited.currency !== 'ILS' && (
          <TextField
            label={t('documents.editor.rate')}
            ltr
            inputMode="decimal"
            value={edited.rate ?? ''}
            onChange={(rate) => put({ rate: rate.trim() === '' ? null : rate.trim().replace(',', '.') })}
            error={said('rate')}
            hint={[t('documents.editor.rateHint', { currency: edited.currency }), proposed]
              .filter(Boolean)
              .join(' ')}
          />
        )}
        {edited.currency !== 'ILS' && (
          <div className="wide">
            <FlagField
              label={t('documents.editor.hidesIls')}
              value={edited.hidesIls ?? edited.customer?.hidesIls ?? false}
              onChange={(hidesIls) => put({ hidesIls })}
              hint={t('customers.hints.hidesIls')}
            />
          </div>
        )}
      </div>
    ),
    language: (
      <LanguageField
        label={label('language')}
        value={languageNow}
        onChange={(language) => put({ language })}
      />
    ),
    zeroGround: (
      <>
        <ChoiceField
          label={label('zeroGround')}
          hint={t('documents.editor.groundHint')}
          value={zeroGroundInUse(edited)}
          onChange={(zeroGround) => put({ zeroGround })}
          error={said('zeroGround')}
          choices={groundsOffered(zeroGrounds, zeroGroundInUse(edited), edited.date).map((value) => ({
            value,
            label: t(`customers.zeroGround.${value}`),
          }))}
        />
        <KeepGround name="zeroGround" edited={edited} keeps={keeps} onKeeps={onKeeps} />
      </>
    ),
    exemptGround: (
      <>
        <ChoiceField
          label={label('exemptGround')}
          hint={t('documents.editor.groundHint')}
          value={exemptGroundInUse(edited)}
          onChange={(exemptGround) => put({ exemptGround })}
          error={said('exemptGround')}
          clearable
          choices={groundsOffered(exemptGrounds, exemptGroundInUse(edited), edited.date).map((value) => ({
            value,
            label: t(`customers.exemptGround.${value}`),
          }))}
        />
        <KeepGround name="exemptGround" edited={edited} keeps={keeps} onKeeps={onKeeps} />
      </>
    ),
    rounding: (
      <ChoiceField
        label={label('rounding')}
        value={edited.rounding ?? roundingNow}
        onChange={(rounding) => put({ rounding })}
        choices={(['none', 'whole', 'half'] as const).map((value) => ({
          value,
          label: t(`companies.rounding.${value}`),
        }))}
      />
    ),
    billing: <p className="doc-label">{t('documents.editor.billingNote')}</p>,
    pro: <p className="doc-label">{t('documents.editor.proNote')}</p>,
    branch: (
      <Branch
        label={label('branch')}
        value={edited.branch}
        onChange={(branch) => put({ branch })}
        error={said('branch')}
      />
    ),
    deliverTo: (
      <DeliverToField label={label('deliverTo')} edited={edited} put={put} error={said('deliverTo')} />
    ),
  }
  return (
    <div className="doc-extra-fields">
      {shown.map((extra) => (
        <div key={extra} className="doc-extra">
          <div className="grow">{fields[extra]}</div>
          {/* A document at zero rate names its ground: there is nothing to take away. */}
          {extra !== 'zeroGround' && (
            <Button
              kind="quiet"
              size="s"
              icon={X}
              label={t('documents.editor.removeExtra', { name: label(extra) })}
              onPress={() => {
                put(emptied[extra])
                held.close(extra)
              }}
            />
          )}
        </div>
      ))}
    </div>
  )
}
