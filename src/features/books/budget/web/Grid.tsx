/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keys */
import { ChevronDown, Copy, Eraser, Pencil, Split } from 'lucide-react'
import { lazy, memo, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { spreadYear } from '#domain/budget/budget.ts'
import { formatMoney, formatNumber } from '#domain/format.ts'
import { parseMoney, sum, toWholeShekels, type Agorot } from '#domain/money.ts'
import { call, failureText, keyOf, queryClient, changeAnswer } from '#kit/web/calls/call.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Rows } from '#kit/web/parts/Card.tsx'
import { toBeside } from '#kit/web/parts/columnKeys.ts'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { budgetOfYear, keepBudget, type BudgetRow, type BudgetYear } from '../endpoints.ts'
import { isQuiet, monthSums, withCells, yearSum, type Cell } from './model.ts'
import { useMonths } from './months.ts'

const RowDialog = lazy(() =>
  fetchPart(() => import('./RowDialog.tsx')).then((part) => ({ default: part.RowDialog })),
)
const CopyDialog = lazy(() =>
  fetchPart(() => import('./CopyDialog.tsx')).then((part) => ({ default: part.CopyDialog })),
)

const kinds = ['income', 'expense'] as const
/** What is typed goes out together, a moment after the last of it. */
const quietMs = 700

/** Keeps what was typed: shown at once, sent together, put back with a word when it is refused. */
function useKeeping(year: number) {
  const t = useWords()
  const waiting = useRef(new Map<string, Cell>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [state, setState] = useState<'none' | 'waits' | 'kept'>('none')
  const send = useCallback(async () => {
    clearTimeout(timer.current)
    const cells = [...waiting.current.values()]
    if (cells.length === 0) return
    waiting.current = new Map()
    try {
      await call(keepBudget, { year, cells })
      if (waiting.current.size === 0) setState('kept')
    } catch (e) {
      setState('none')
      banner.error(failureText(t, e))
      void queryClient.invalidateQueries({ queryKey: keyOf(budgetOfYear) })
    }
  }, [year, t])
  const keep = useCallback(
    (cells: readonly Cell[]) => {
      changeAnswer(budgetOfYear, { year }, (old) => withCells(old, cells), { again: false })
      for (const cell of cells) waiting.current.set(`${cell.accountId} ${cell.month}`, cell)
      setState('waits')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void send(), quietMs)
    },
    [year, send],
  )
  // Who leaves takes along what still waits.
  useEffect(() => () => void send(), [send])
  return { keep, state }
}

export function Grid({
  data,
  may,
  all,
  onAll,
}: {
  data: BudgetYear
  may: boolean
  all: boolean
  onAll: (all: boolean) => void
}) {
  const t = useWords()
  const isPhone = usePhone()
  const { keep, state } = useKeeping(data.year)
  const [opened, setOpened] = useState<string>()
  const [copied, setCopied] = useState<string>()
  // A row that was just emptied stays where it is until the screen is opened again.
  const [seen] = useState(
    () => new Set(data.rows.filter((row) => !isQuiet(row)).map(({ accountId }) => accountId)),
  )
  const rows = useMemo(
    () => data.rows.filter((row) => all || seen.has(row.accountId) || !isQuiet(row)),
    [data.rows, all, seen],
  )
  const hidden = data.rows.length - rows.length
  const row = data.rows.find(({ accountId }) => accountId === opened)
  const copyRow = data.rows.find(({ accountId }) => accountId === copied)
  const done = async (changed: number) => {
    setOpened(undefined)
    setCopied(undefined)
    await queryClient.invalidateQueries({ queryKey: keyOf(budgetOfYear) })
    toast(t('budget.changed', { count: changed }))
  }
  return (
    <>
      <div className="bu-tools">
        {(hidden > 0 || all) && (
          <FlagField as="switch" label={t('budget.all')} value={all} onChange={onAll} />
        )}
        <span role="status" className="hint text-13">
          {state === 'waits'
            ? t('budget.saving')
            : state === 'kept'
              ? t('kit.forms.saved')
              : may && !isPhone
                ? t('budget.how')
                : ''}
        </span>
      </div>
      {isPhone ? (
        <Phone rows={rows} onOpen={setOpened} />
      ) : (
        <Desk data={data} rows={rows} may={may} keep={keep} onOpen={setOpened} onCopy={setCopied} />
      )}
      <Suspense>
        {row && (
          <RowDialog
            year={data.year}
            row={row}
            may={may}
            onClose={() => setOpened(undefined)}
            onDone={done}
          />
        )}
        {copyRow && (
          <CopyDialog
            year={data.year}
            row={copyRow}
            hasBudget={copyRow.budget.some((agorot) => agorot !== null)}
            onClose={() => setCopied(undefined)}
            onDone={done}
          />
        )}
      </Suspense>
    </>
  )
}

/** On a phone an account is a line with its year; its months open over it. */
function Phone({ rows, onOpen }: { rows: readonly BudgetRow[]; onOpen: (id: string) => void }) {
  const t = useWords()
  const totalOf = (kind: BudgetRow['kind']) =>
    sum(rows.filter((row) => row.kind === kind).map(({ budget }) => yearSum(budget)))
  return (
    <>
      {kinds.map((kind) => (
        <section key={kind} className="k-card bu-phone" aria-label={t(`budget.kinds.${kind}`)}>
          <header>
            <h2>{t(`budget.kinds.${kind}`)}</h2>
            <span className="end">
              <Money amount={totalOf(kind)} whole />
            </span>
          </header>
          <div className="k-card-body">
            <Rows>
              {rows
                .filter((row) => row.kind === kind)
                .map((row) => (
                  <button key={row.accountId} type="button" onClick={() => onOpen(row.accountId)}>
                    <bdi className="cut">{row.name}</bdi>
                    <Money amount={yearSum(row.budget)} whole />
                  </button>
                ))}
            </Rows>
          </div>
        </section>
      ))}
      <p className="bu-result">
        <b>{t('budget.result')}</b> <Money amount={totalOf('income') - totalOf('expense')} whole />
      </p>
    </>
  )
}

interface DeskProps {
  data: BudgetYear
  rows: readonly BudgetRow[]
  may: boolean
  keep: (cells: readonly Cell[]) => void
  onOpen: (id: string) => void
  onCopy: (id: string) => void
}

/** The sheet: typed as a spreadsheet is, with arrows, Enter and cells that are pasted. */
function Desk({ data, rows, may, keep, onOpen, onCopy }: DeskProps) {
  const t = useWords()
  const { short, long } = useMonths()
  const order = rows.map(({ accountId }) => accountId).join()
  const paste = useCallback(
    (accountId: string, month: number, text: string) => {
      const ids = order.split(',')
      const at = ids.indexOf(accountId)
      const cells = text
        .replace(/\r/g, '')
        .replace(/\n$/, '')
        .split('\n')
        .flatMap((line, down) =>
          line.split('\t').flatMap((cell, along): Cell[] => {
            const id = ids[at + down]
            const agorot = cell.trim() === '' ? null : parseMoney(cell.trim())
            return id === undefined || month + along > 12 || agorot === undefined
              ? []
              : [{ accountId: id, month: month + along, agorot }]
          }),
        )
      if (cells.length > 0) keep(cells)
    },
    [order, keep],
  )
  const sums = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      monthSums(rows.filter((row) => row.kind === kind).map(({ budget }) => ({ months: budget }))),
    ]),
  ) as Record<(typeof kinds)[number], Agorot[]>
  const result = sums.income.map((agorot, i) => agorot - sums.expense[i]!)
  return (
    <div className="bu-scroll" role="region" aria-label={t('screens.budget')} tabIndex={0}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its cells leave their arrow keys to it */}
      <table className="bu-grid" onKeyDown={toBeside}>
        <thead>
          <tr>
            <th scope="col" className="name">
              {t('budget.account')}
            </th>
            {short.map((month, i) => (
              <th key={month} scope="col" title={long[i]} data-past={i < data.monthsPast ? '' : undefined}>
                {month}
              </th>
            ))}
            <th scope="col" className="total">
              {t('budget.total')}
            </th>
            {may && (
              <th className="menu">
                <span className="vh">{t('kit.actions.more')}</span>
              </th>
            )}
          </tr>
        </thead>
        {kinds.map((kind) => (
          <tbody key={kind}>
            <tr className="head">
              <th scope="rowgroup" colSpan={may ? 15 : 14}>
                {t(`budget.kinds.${kind}`)}
              </th>
            </tr>
            {rows
              .filter((row) => row.kind === kind)
              .map((row) => (
                <Line key={row.accountId} {...{ row, may, keep, paste, onOpen, onCopy }} />
              ))}
            <Sums name={t(`budget.totalOf.${kind}`)} months={sums[kind]} may={may} />
          </tbody>
        ))}
        <tfoot>
          <Sums name={t('budget.result')} months={result} may={may} />
        </tfoot>
      </table>
    </div>
  )
}

const Figure = ({ agorot }: { agorot: Agorot }) => (
  <Num className={agorot < 0 ? 'minus' : undefined}>
    {agorot === 0 ? '–' : formatNumber(toWholeShekels(agorot))}
  </Num>
)

function Sums({ name, months, may }: { name: string; months: readonly Agorot[]; may: boolean }) {
  return (
    <tr className="sum">
      <th scope="row" className="name">
        {name}
      </th>
      {months.map((agorot, i) => (
        <td key={i}>
          <Figure agorot={agorot} />
        </td>
      ))}
      <td className="total">
        <Figure agorot={sum(months)} />
      </td>
      {may && <td />}
    </tr>
  )
}

interface LineProps extends Pick<DeskProps, 'may' | 'keep' | 'onOpen' | 'onCopy'> {
  row: BudgetRow
  paste: (accountId: string, month: number, text: string) => void
}

const Line = memo(function Line({ row, may, keep, paste, onOpen, onCopy }: LineProps) {
  const t = useWords()
  const { long } = useMonths()
  const { accountId, name, budget, before } = row
  const whole = yearSum(budget)
  const setYear = (agorot: Agorot | null) => {
    const months =
      agorot === null
        ? budget.map(() => null)
        : spreadYear(agorot, budget.some(Boolean) ? budget.map((one) => one ?? 0) : before)
    keep(months.map((one, i) => ({ accountId, month: i + 1, agorot: one })))
  }
  const spread = (like?: readonly Agorot[]) =>
    keep(spreadYear(whole, like).map((agorot, i) => ({ accountId, month: i + 1, agorot })))
  return (
    <tr>
      <th scope="row" className="name">
        <button
          type="button"
          className="aim"
          title={`${row.number} ${name}`}
          onClick={() => onOpen(accountId)}
        >
          <Num className="no">{row.number}</Num> <bdi>{name}</bdi>
        </button>
      </th>
      {budget.map((agorot, i) => (
        <td key={i}>
          <CellInput
            label={`${name}, ${long[i]}`}
            value={agorot}
            may={may}
            onValue={(value) => keep([{ accountId, month: i + 1, agorot: value }])}
            onPaste={(text) => paste(accountId, i + 1, text)}
          />
        </td>
      ))}
      <td className="total">
        <CellInput
          label={`${name}, ${t('budget.total')}`}
          value={budget.every((one) => one === null) ? null : whole}
          may={may}
          onValue={setYear}
        />
      </td>
      {may && (
        <td className="menu">
          <Menu
            label={t('kit.table.actionsOf', { name })}
            placement="bottom end"
            items={[
              { key: 'open', label: t('budget.row.open'), icon: Pencil, onPress: () => onOpen(accountId) },
              {
                key: 'even',
                label: t('budget.row.evenly'),
                icon: Split,
                disabled: whole === 0,
                onPress: () => spread(),
              },
              {
                key: 'like',
                label: t('budget.row.asLastYear'),
                icon: Split,
                disabled: whole === 0 || before.every((one) => one === 0),
                onPress: () => spread(before),
              },
              { key: 'copy', label: t('budget.copy.rowVerb'), icon: Copy, onPress: () => onCopy(accountId) },
              {
                key: 'clear',
                label: t('budget.row.clear'),
                icon: Eraser,
                disabled: budget.every((one) => one === null),
                onPress: () => setYear(null),
              },
            ]}
            trigger={
              <Button kind="quiet" size="s" icon={ChevronDown} label={t('kit.table.actionsOf', { name })} />
            }
          />
        </td>
      )}
    </tr>
  )
})

/** As one types it: without separators, agorot only where there are any. */
const exact = (value: Agorot | null): string =>
  value === null ? '' : value % 100 === 0 ? String(value / 100) : (value / 100).toFixed(2)

/**
 * A cell of the sheet: whole shekels to look at, the agorot when one types. What is no sum stays, marked,
 * until it is one.
 */
function CellInput({
  label,
  value,
  may,
  onValue,
  onPaste,
}: {
  label: string
  value: Agorot | null
  may: boolean
  onValue: (value: Agorot | null) => void
  onPaste?: (text: string) => void
}) {
  const t = useWords()
  const [typed, setTyped] = useState<string>()
  const [wrong, setWrong] = useState(false)
  const shown = value === null ? '' : formatNumber(toWholeShekels(value))
  if (!may) return <Num>{shown || '–'}</Num>
  const commit = () => {
    if (typed === undefined) return
    const text = typed.trim()
    const read = text === '' ? null : parseMoney(text)
    if (read === undefined) {
      setWrong(true)
      return
    }
    setTyped(undefined)
    setWrong(false)
    if (read !== value) onValue(read)
  }
  return (
    <input
      className="num"
      aria-label={label}
      aria-invalid={wrong || undefined}
      title={
        wrong ? t('kit.errors.money') : value !== null && value % 100 !== 0 ? formatMoney(value) : undefined
      }
      inputMode="text"
      autoComplete="off"
      value={typed ?? shown}
      onFocus={(event) => {
        const box = event.currentTarget
        // Before the first letter arrives the agorot stand there, chosen, so that typing takes their place.
        if (typed === undefined) flushSync(() => setTyped(exact(value)))
        box.select()
        // A press puts its caret after the focus; who has typed by then keeps it.
        const begun = box.value
        requestAnimationFrame(() => {
          if (box.value === begun && document.activeElement === box) box.select()
        })
      }}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || typed === undefined) return
        setTyped(exact(value))
        setWrong(false)
      }}
      onPaste={(event) => {
        const text = event.clipboardData.getData('text')
        if (!onPaste || !/[\t\n]/.test(text.trim())) return
        event.preventDefault()
        setTyped(undefined)
        onPaste(text)
      }}
    />
  )
}
