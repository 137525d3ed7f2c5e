/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- Enter goes on to the next field of the form, as in a grid */
import { Check, Plus, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { formatDay, formatMoney } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { Combo, type Option } from '#kit/web/fields/Combo.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { currencies } from '#kit/web/fields/SmallChoices.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { matches } from '#kit/web/parts/matches.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { accountBalance } from '#features/base/ledger/endpoints.ts'
import type { JournalFacts, LineFault } from '../endpoints.ts'
import { faultsOf, movedBy, vatOf, withKind, type Cell, type Draft } from './model.ts'

export interface LineFormProps {
  start: Draft
  facts: JournalFacts
  /** The other lines of the batch: they count in what an account comes to. */
  others: readonly Draft[]
  /** The line before, whose cells can be said again. */
  last: Draft | undefined
  /** A line that is in the batch already. */
  isKept: boolean
  /** What the server found wrong with it. */
  faults: readonly LineFault[]
  onSave: (line: Draft) => void
  /** What is typed of a line so far, to be kept. */
  onType: (line: Draft | undefined) => void
  /** Cells copied from a spreadsheet. */
  onPasteCells: (text: string) => void
  /** To the line before or after. */
  onWalk: (step: 1 | -1) => void
  onLeave: () => void
  /** Whether something of the line was changed since it was loaded into the form. */
  onTouch: (isTouched: boolean) => void
}

interface Coded {
  id: string
  label: string
}

const option = (one: Coded): Option => ({ key: one.id, label: one.label })

/**
 * One of the chart or of the codes, found by its number or its name; the number comes first, and the exact
 * number before all.
 */
function CodedField({
  label,
  name,
  value,
  choices,
  error,
  hint,
  onChange,
  onNext,
  onEnter = onNext,
  inputRef,
}: {
  label: string
  name: Cell
  value: string | null
  choices: readonly Coded[]
  error: string | undefined
  hint?: ReactNode
  onChange: (id: string | null) => void
  onNext: () => void
  onEnter?: () => void
  inputRef?: React.Ref<HTMLInputElement>
}) {
  const [query, setQuery] = useState('')
  const asked = query.trim()
  // Every key of the line draws all its cells; only a key of this one looks through the chart.
  const found = useMemo(
    () =>
      (asked === ''
        ? choices
        : choices
            .filter((one) => one.label.startsWith(asked) || matches(one.label, asked))
            .toSorted(
              (left, right) =>
                Number(right.label.startsWith(`${asked} `)) - Number(left.label.startsWith(`${asked} `)),
            )
      )
        .slice(0, 40)
        .map(option),
    [choices, asked],
  )
  const chosen = choices.find((one) => one.id === value)
  return (
    <Combo
      label={label}
      name={name}
      value={chosen ? option(chosen) : null}
      options={found}
      onQuery={setQuery}
      clearable
      onChange={(picked) => {
        onChange(picked?.key ?? null)
        if (picked) onNext()
      }}
      {...(error ? { error } : {})}
      {...(hint ? { hint } : {})}
      {...(inputRef ? { inputRef } : {})}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        onEnter()
      }}
    />
  )
}

/**
 * The balance of the line's account on its day, with the lines of the batch that are not posted yet; and the balance
 * after this line.
 */
function Balance({
  account,
  draft,
  others,
  facts,
}: {
  account: string
  draft: Draft
  others: readonly Draft[]
  facts: JournalFacts
}) {
  const t = useWords()
  const hides = useSession()?.HideTotalPrices ?? false
  const isShown = useCan()('ledger.see') && !hides
  const { day } = draft
  const { data } = useCall(accountBalance, { id: account, day }, { enabled: isShown, staleTime: 60_000 })
  const since = data?.since
  const waiting = useMemo(
    () => (since === undefined ? 0 : movedBy(account, others, facts, { since, day })),
    [account, others, facts, since, day],
  )
  if (!data || data.balanceAgorot === null) return null
  const before = data.balanceAgorot + waiting
  const moved = movedBy(account, [draft], facts, { since: data.since, day })
  const amount = formatMoney(before)
  return (
    <span className="jr-balance">
      {moved === 0
        ? t('journal.balance.on', { day: formatDay(day), amount })
        : t('journal.balance.after', { day: formatDay(day), amount, after: formatMoney(before + moved) })}
    </span>
  )
}

/** Everything a cell of the line may be chosen from. */
function choicesOf(facts: JournalFacts, lang: string) {
  const names = new Intl.DisplayNames([lang], { type: 'currency' })
  return {
    accounts: facts.accounts.map(({ id, number, name }) => ({ id, label: `${number} ${name}` })),
    codes: facts.vatCodes.map(({ id, code, name }) => ({ id, label: `${code} ${name}` })),
    kinds: facts.kinds.map(({ id, code, name }) => ({ id, label: `${code} ${name}` })),
    projects: facts.projects.map(({ id, number, name }) => ({
      id,
      label: [number, name].filter(Boolean).join(' '),
    })),
    foreign: currencies
      .filter((one) => one !== 'ILS')
      .map((id) => ({ id, label: `${id} ${names.of(id) ?? ''}` })),
  }
}

/** Cells that few lines need: the way of Enter passes them by, Tab and the mouse come to them. */
const aside = ['valueDay', 'projectId', 'currency', 'foreignAgorot']
  .map((name) => `[name="${name}"]`)
  .join(', ')

/**
 * The line that is being typed. Enter goes from cell to cell and after the last one puts the line into the
 * batch, Ctrl+Enter does so from anywhere, Ctrl+D says again what stood in this cell of the line before.
 * Escape leaves a line that was opened; in a new one it goes to the first cell, and empties the line when it
 * is pressed there. PageUp and PageDown go through the lines of the batch and back.
 */
export function LineForm(props: LineFormProps) {
  const {
    start,
    facts,
    others,
    last,
    isKept,
    faults,
    onSave,
    onType,
    onPasteCells,
    onWalk,
    onLeave,
    onTouch,
  } = props
  const t = useWords()
  const { lang } = useLanguage()
  const [draft, setDraft] = useState(start)
  const [tried, setTried] = useState(false)
  // The cell whose text kept the line from being put in, until something is typed.
  const [unreadable, setUnread] = useState<{ cell: string; text: string }>()
  const form = useRef<HTMLFormElement>(null)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    if (draft !== start && !isKept) onType(draft)
    onTouch(draft !== start)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what was typed is news
  }, [draft])
  // Keys that take a hit and do something else besides: the cursor goes where they send it.
  const byOther = useRef(false)
  const put = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const own = faultsOf(draft, facts)
  const isChanged = draft !== start
  const errorAt = (cell: Cell): string | undefined => {
    if (unreadable?.cell === cell) return unreadable.text
    const mine = own[cell]
    // Whose account it is, is said when it is chosen; what is missing, when the line is put in.
    if (mine && (tried || mine.code.startsWith('journal.control')))
      return t(`errors.${mine.code}`, mine.number ? { number: mine.number } : {})
    const theirs = isChanged ? undefined : faults.find((one) => one.field === cell)
    return theirs && faultText(t, theirs)
  }
  const error = (cell: Cell) => {
    const text = errorAt(cell)
    return text ? { error: text } : {}
  }
  const save = () => {
    setTried(true)
    // A day or an amount that cannot be read stays in its cell, and no line is created without it.
    const unread = form.current?.querySelector<HTMLInputElement>('input:invalid')
    if (unread) {
      setUnread({ cell: unread.name, text: unread.validationMessage })
      unread.focus()
      return
    }
    const wrong = Object.keys(own)[0]
    if (wrong) {
      form.current?.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus()
      return
    }
    onSave(draft)
  }
  /**
   * The cell after the one that has the cursor, at once, so that quick keys lose no step; after the last one
   * the line is done.
   */
  const next = () => {
    if (byOther.current) return
    const at = document.activeElement
    const after = () => {
      const cells = [
        ...(form.current?.querySelectorAll<HTMLInputElement>(`input:not([disabled], ${aside})`) ?? []),
      ]
      return cells[cells.indexOf(at as HTMLInputElement) + 1]
    }
    const cell = after()
    if (cell) return cell.focus()
    // Once what was typed is read, a chosen VAT code has opened the cell of its VAT.
    flushSync(() => {})
    const opened = after()
    if (opened) opened.focus()
    else form.current?.requestSubmit()
  }
  const onEnter = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    next()
  }
  /**
   * Ends the line from any cell. What is half typed is read when the cell is left; all of it before the next
   * key, which would go nowhere.
   */
  const finish = () => {
    flushSync(() => (document.activeElement as HTMLElement | null)?.blur())
    form.current?.requestSubmit()
  }
  const onEnterAside = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    finish()
  }
  const balanceOf = (account: string | null) =>
    account !== null && (
      <Balance key={account} account={account} draft={draft} others={others} facts={facts} />
    )
  const { accounts, codes, kinds, projects, foreign } = useMemo(() => choicesOf(facts, lang), [facts, lang])
  const worked =
    draft.vatCodeId && draft.amountAgorot !== null
      ? formatMoney(vatOf({ ...draft, vatAgorot: null }, facts))
      : ''
  return (
    <form
      ref={form}
      className="jr-form"
      noValidate
      aria-label={t(isKept ? 'journal.line.change' : 'journal.line.new')}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onPointerDownCapture={() => {
        byOther.current = false
      }}
      onKeyDownCapture={(event) => {
        byOther.current = event.key === 'Tab' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
        // A line that was opened and changed is kept or left first.
        if ((event.key !== 'PageUp' && event.key !== 'PageDown') || (isKept && isChanged)) return
        event.preventDefault()
        event.stopPropagation()
        onWalk(event.key === 'PageUp' ? -1 : 1)
      }}
      onInput={() => setUnread(undefined)}
      onPaste={(event) => {
        const text = event.clipboardData.getData('text/plain')
        if (isKept || !text.includes('\t')) return
        event.preventDefault()
        onPasteCells(text)
      }}
      onKeyDown={(event) => {
        const mod = event.ctrlKey || event.metaKey
        if (mod && event.key === 'Enter') {
          event.preventDefault()
          event.stopPropagation()
          finish()
        } else if (mod && event.code === 'KeyD') {
          event.preventDefault()
          const cell = (event.target as HTMLInputElement).name as Cell
          if (last && cell in last) {
            put({ [cell]: last[cell] })
            next()
          }
        } else if (event.key === 'Escape' && !event.defaultPrevented) {
          if (isKept || event.target === first.current) onLeave()
          else first.current?.focus()
        }
      }}
    >
      <div className="kind">
        <CodedField
          label={t('journal.fields.kindId')}
          name="kindId"
          value={draft.kindId}
          choices={kinds}
          error={errorAt('kindId')}
          inputRef={first}
          onChange={(id) => setDraft((before) => withKind(before, id, facts))}
          onNext={next}
        />
      </div>
      <DayField
        label={t('journal.fields.day')}
        name="day"
        value={draft.day}
        onChange={(day) => day && put({ day })}
        onKeyDown={onEnter}
        {...error('day')}
      />
      <TextField
        label={t('journal.fields.reference')}
        name="reference"
        ltr
        max={40}
        value={draft.reference}
        onChange={(reference) => put({ reference })}
        onKeyDown={onEnter}
        {...error('reference')}
      />
      <div className="details">
        <TextField
          label={t('journal.fields.details')}
          name="details"
          max={200}
          value={draft.details}
          onChange={(details) => put({ details })}
          onKeyDown={onEnter}
          {...error('details')}
        />
      </div>
      <div className="account">
        <CodedField
          label={t('journal.fields.debitAccountId')}
          name="debitAccountId"
          value={draft.debitAccountId}
          choices={accounts}
          error={errorAt('debitAccountId')}
          hint={balanceOf(draft.debitAccountId)}
          onChange={(debitAccountId) => put({ debitAccountId })}
          onNext={next}
        />
      </div>
      <div className="account">
        <CodedField
          label={t('journal.fields.creditAccountId')}
          name="creditAccountId"
          value={draft.creditAccountId}
          choices={accounts}
          error={errorAt('creditAccountId')}
          hint={balanceOf(draft.creditAccountId)}
          onChange={(creditAccountId) => put({ creditAccountId })}
          onNext={next}
        />
      </div>
      <MoneyField
        label={t('journal.fields.amountAgorot')}
        name="amountAgorot"
        value={draft.amountAgorot}
        onChange={(amountAgorot) => put({ amountAgorot })}
        onKeyDown={onEnter}
        {...error('amountAgorot')}
      />
      <div className="code">
        <CodedField
          label={t('journal.fields.vatCodeId')}
          name="vatCodeId"
          value={draft.vatCodeId}
          choices={codes}
          error={errorAt('vatCodeId')}
          onChange={(vatCodeId) => put({ vatCodeId, vatAgorot: null })}
          onNext={next}
        />
      </div>
      <MoneyField
        label={t('journal.fields.vatAgorot')}
        name="vatAgorot"
        value={draft.vatAgorot}
        placeholder={worked}
        disabled={draft.vatCodeId === null}
        onChange={(vatAgorot) => put({ vatAgorot })}
        onKeyDown={onEnter}
        {...error('vatAgorot')}
      />
      <DayField
        label={t('journal.fields.valueDay')}
        name="valueDay"
        value={draft.valueDay}
        onChange={(valueDay) => put({ valueDay })}
        onKeyDown={onEnterAside}
        {...error('valueDay')}
      />
      {projects.length > 0 && (
        <div className="code">
          <CodedField
            label={t('journal.fields.projectId')}
            name="projectId"
            value={draft.projectId}
            choices={projects}
            error={errorAt('projectId')}
            onChange={(projectId) => put({ projectId })}
            onNext={() => {}}
            onEnter={finish}
          />
        </div>
      )}
      <CodedField
        label={t('journal.fields.currency')}
        name="currency"
        value={draft.currency}
        choices={foreign}
        error={errorAt('currency')}
        onChange={(currency) => put(currency === null ? { currency, foreignAgorot: null } : { currency })}
        onNext={() => {}}
        onEnter={finish}
      />
      <MoneyField
        label={t('journal.fields.foreignAgorot')}
        name="foreignAgorot"
        currency={draft.currency ?? ''}
        value={draft.foreignAgorot}
        disabled={draft.currency === null && draft.foreignAgorot === null}
        onChange={(foreignAgorot) => put({ foreignAgorot })}
        onKeyDown={onEnterAside}
        {...error('foreignAgorot')}
      />
      <div className="do">
        {isKept && (
          <Button kind="quiet" icon={X} onPress={onLeave}>
            {t('kit.actions.back')}
          </Button>
        )}
        <Button
          kind={isKept ? 'primary' : 'soft'}
          type="submit"
          icon={isKept ? Check : Plus}
          keys="Ctrl+Enter"
        >
          {t(isKept ? 'journal.line.keep' : 'journal.line.add')}
        </Button>
      </div>
    </form>
  )
}

/** A fault in words; amounts in it as money. */
export const faultText = (
  t: ReturnType<typeof useWords>,
  { code, params }: Pick<LineFault, 'code' | 'params'>,
): string =>
  t(`errors.${code}`, {
    ...params,
    ...(typeof params?.amount === 'number' ? { amount: formatMoney(params.amount) } : {}),
  })
