import { Copy, FileUp, ListChecks, Lock, NotebookPen, Pencil, Trash2, TriangleAlert } from 'lucide-react'
import {
  memo,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react'
import { dayInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import {
  CallFailure,
  call,
  failureText,
  keyOf,
  queryClient,
  useCall,
  putAnswer,
} from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Kbd } from '#kit/web/parts/Kbd.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  checkBatch,
  dropBatch,
  getBatch,
  journalFacts,
  keepLines,
  listBatches,
  postBatch,
  type BatchAnswer,
  type JournalFacts,
  type LineFault,
} from '../endpoints.ts'
import { faultText, LineForm } from './LineForm.tsx'
import { newLineId, nextDraft, standing, vatOf, type Draft } from './model.ts'
import { pastedCells, readPasted, type PastedFault } from './paste.ts'
import { BatchState, batchesPath } from './state.tsx'
import { useBatch } from './useBatch.ts'
import './journal.css'

/**
 * A temporary batch: the lines that were typed, and the one that is being typed. Without a batch the first
 * line opens one.
 */
export function Grid({ id }: { id?: string }) {
  const t = useWords()
  const facts = useCall(journalFacts, {}, { staleTime: 5 * 60_000 })
  const batch = useCall(getBatch, { id: id ?? '' }, { enabled: id !== undefined })
  const error = facts.error ?? batch.error
  const isClosed = batch.data?.state === 'posted' || batch.data?.state === 'dropped'
  // An old address of what is posted by now leads to what it posted.
  useEffect(() => {
    if (isClosed && id !== undefined) go(`${batchesPath}/${id}`, { replace: true })
  }, [isClosed, id])
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!facts.data || isClosed || (id !== undefined && !batch.data)) return <Skeleton lines={8} />
  return <Lines facts={facts.data} {...(batch.data ? { batch: batch.data } : {})} />
}

function Lines({ facts, batch }: { facts: JournalFacts; batch?: BatchAnswer }) {
  const t = useWords()
  const today = useToday()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { lines, isSaving, pending, begun, put, typing, type, carry, drop, settled, batchId } =
    useBatch(batch)
  const [unfinished, setUnfinished] = useState(begun)
  const [unread, setUnread] = useState<{ count: number; faults: PastedFault[] }>()
  const [opened, setOpened] = useState<Draft>()
  // Every line typed begins a form again.
  const [turn, setTurn] = useState(0)
  const touched = useRef(false)
  const [asks, setAsks] = useState<'post' | 'drop'>()
  const [busy, setBusy] = useState<'check' | 'post'>()
  const sums = useMemo(() => standing(lines, facts), [lines, facts])
  const faultsFor = useMemo(() => {
    const byLine = new Map<string, LineFault[]>()
    for (const fault of batch?.faults ?? [])
      byLine.set(fault.lineId, [...(byLine.get(fault.lineId) ?? []), fault])
    return byLine
  }, [batch?.faults])
  const isChecked = batch?.state === 'checked' && !isSaving
  /** To the new line, as it was left. */
  const back = () => {
    setOpened(undefined)
    setTurn((n) => n + 1)
  }
  const open = (line: Draft) => {
    if (!opened) setUnfinished(typing())
    setOpened(line)
    setTurn((n) => n + 1)
  }
  const renew = () => {
    setOpened(undefined)
    setUnfinished(undefined)
    setTurn((n) => n + 1)
  }
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keyOf(getBatch) }),
      queryClient.invalidateQueries({ queryKey: keyOf(listBatches) }),
    ])
  const run = async (what: 'check' | 'post') => {
    // What was changed of an opened line is in the form only: it would be checked and posted as it was.
    if (opened && touched.current) return banner.error(t('journal.line.keepFirst'))
    if (!(await settled())) return
    const id = batchId()
    if (!id) return
    setBusy(what)
    try {
      const answer = await call(what === 'check' ? checkBatch : postBatch, { id })
      putAnswer(getBatch, { id }, answer)
      if (what === 'post') carry()
      // The next key is not lost to what is refreshed behind.
      void queryClient.invalidateQueries()
      banner.success(
        t(what === 'check' ? 'journal.batch.checkedNow' : 'journal.batch.postedNow', {
          number: String(answer.number),
        }),
      )
    } catch (e) {
      banner.error(failureText(t, e))
      if (e instanceof CallFailure) await refresh()
    } finally {
      setBusy(undefined)
    }
  }
  const at = opened ? lines.findIndex((line) => line.id === opened.id) : lines.length
  /** To the line before or after the one in the form, and at last back to the new one, as it was left. */
  const walk = (step: 1 | -1) => {
    const to = lines[at + step]
    if (!to && (step < 0 || !opened)) return
    if (to) open(to)
    else back()
  }
  const paste = (text: string) => {
    const last = lines.at(-1)
    const today = dayInJerusalem(new Date())
    const names = Object.fromEntries(
      pastedCells.map((cell) => [cell, t(`journal.fields.${cell}`)]),
    ) as Record<(typeof pastedCells)[number], string>
    const { lines: found, faults } = readPasted(text, { names, facts, day: last?.day ?? today, today })
    const blank = nextDraft([], facts, today)
    setUnread(faults.length > 0 ? { count: found.length, faults } : undefined)
    if (found.length === 0) return
    put(
      ...found.map((line, i) => ({
        ...blank,
        ...line,
        id: newLineId(),
        position: (last?.position ?? -1) + 1 + i,
      })),
    )
    if (faults.length === 0) banner.success(t('journal.paste.done', { count: found.length }))
    if (!typing()) renew()
  }
  const following = useMemo(() => nextDraft(lines, facts, today), [lines, facts, today])
  const start = opened ?? unfinished ?? following
  const others = useMemo(() => (opened ? lines.filter(({ id }) => id !== opened.id) : lines), [lines, opened])
  // The next key goes before the rows under the form.
  const laterLines = useDeferredValue(lines)
  const laterFaults = useDeferredValue(faultsFor)
  const deeds = useRef<LineDeeds>(undefined)
  useLayoutEffect(() => {
    deeds.current = {
      open,
      again: (line) => put({ ...line, id: newLineId(), position: (lines.at(-1)?.position ?? 0) + 1 }),
      drop: (line) => {
        drop(line.id)
        if (opened?.id === line.id) back()
        toast(t('journal.line.dropped'), () => put(line))
      },
    }
  })
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('screens.journalBatches'), href: batchesPath }]}
        title={batch ? t('journal.batch.named', { number: String(batch.number) }) : t('screens.journalEntry')}
        {...(batch
          ? {
              status: (
                <BatchState
                  state={isChecked ? 'checked' : batch.state === 'checked' ? 'open' : batch.state}
                />
              ),
            }
          : {})}
        sub={
          <span role="status">
            {batch?.name && (
              <>
                <bdi>{batch.name}</bdi> ·{' '}
              </>
            )}
            {pending > 0 && !isSaving
              ? t('journal.unsaved', { count: pending })
              : t(isSaving ? 'journal.saving' : lines.length > 0 ? 'journal.saved' : 'journal.hint')}
          </span>
        }
        actions={
          <>
            {lines.length > 0 && (!isChecked || may('journal.post')) && (
              // One button, so that the key that checked the batch posts it next.
              <Button
                kind="primary"
                icon={isChecked ? Lock : ListChecks}
                busy={busy !== undefined}
                onPress={() => (isChecked ? setAsks('post') : void run('check'))}
              >
                {t(isChecked ? 'journal.batch.post' : 'journal.batch.check')}
              </Button>
            )}
          </>
        }
        more={[
          ...(may('imports.run')
            ? [
                {
                  key: 'import',
                  label: t('journal.batch.import'),
                  icon: FileUp,
                  onPress: () => go('/invoice/tools/import/journalLines'),
                },
              ]
            : []),
          ...(batch
            ? [
                {
                  key: 'drop',
                  label: t('journal.batch.drop'),
                  icon: Trash2,
                  tone: 'danger' as const,
                  onPress: () => setAsks('drop'),
                },
              ]
            : []),
        ]}
      />
      <div className="jr-stack">
        {batch && <BatchName key={batch.name} id={batch.id} name={batch.name} />}
        {isChecked && !may('journal.post') && <Note tone="info">{t('journal.batch.waitsForPost')}</Note>}
        {faultsFor.size > 0 && !isChecked && (
          <Note tone="wait">{t('journal.batch.faulty', { count: faultsFor.size })}</Note>
        )}
        {unread && (
          <Note tone="wait">
            {t('journal.paste.unread', { count: unread.count })}
            <ul className="jr-unread">
              {unread.faults.slice(0, 12).map(({ row, cell, text }) => (
                <li key={`${row}-${cell}`}>
                  {t('journal.paste.cell', { row: String(row), cell: t(`journal.fields.${cell}`), text })}
                </li>
              ))}
            </ul>
          </Note>
        )}
        <section className="jr-entry" aria-label={t('journal.line.one')}>
          <LineForm
            key={`${start.id === opened?.id ? opened.id : 'new'}-${turn}`}
            start={start}
            facts={facts}
            others={others}
            last={at > 0 ? lines[at - 1] : undefined}
            isKept={opened !== undefined}
            faults={opened ? (faultsFor.get(opened.id) ?? []) : []}
            onSave={(line) => {
              if (opened) {
                put(line)
                return back()
              }
              type(undefined)
              // Lines may have come in since this one was begun.
              put({ ...line, position: (lines.at(-1)?.position ?? -1) + 1 })
              renew()
            }}
            onType={type}
            onTouch={(isTouched) => {
              touched.current = isTouched
            }}
            onPasteCells={paste}
            onWalk={walk}
            onLeave={() => {
              if (opened) return back()
              type(undefined)
              renew()
            }}
          />
          <p className="jr-keys hint" data-screen-only>
            <span>
              <Kbd keys="Enter" /> {t('journal.keys.next')}
            </span>
            <span>
              <Kbd keys="Ctrl+Enter" /> {t('journal.keys.add')}
            </span>
            <span>
              <Kbd keys="Ctrl+D" /> {t('journal.keys.again')}
            </span>
            <span>
              <Kbd keys="Ctrl+V" /> {t('journal.keys.paste')}
            </span>
            <span>
              <Kbd keys="PageUp" /> {t('journal.keys.before')}
            </span>
          </p>
        </section>
        {!hides && lines.length > 0 && (
          <Figures label={t('journal.sums')}>
            <Figure label={t('ledger.side.debit')} value={<Money amount={sums.debit} />} size="s" />
            <Figure label={t('ledger.side.credit')} value={<Money amount={sums.credit} />} size="s" />
            <Figure
              label={t('journal.difference')}
              value={<Money amount={sums.difference} />}
              size="s"
              {...(sums.difference !== 0 ? { tone: 'late' as const } : {})}
              note={
                sums.difference === 0
                  ? t('journal.balanced')
                  : t(sums.difference > 0 ? 'journal.lacksCredit' : 'journal.lacksDebit')
              }
            />
          </Figures>
        )}
        <LinesTable lines={laterLines} facts={facts} faults={laterFaults} deeds={deeds} />
      </div>
      <Question
        isOpen={asks === 'post'}
        onClose={() => setAsks(undefined)}
        title={t('journal.batch.postTitle')}
        verb={t('journal.batch.post')}
        onConfirm={() => run('post')}
      >
        {t('journal.batch.postText', { count: sums.entries })}{' '}
        {asks === 'post' && typing() && t('journal.batch.typingStays')}
      </Question>
      <Question
        isOpen={asks === 'drop'}
        onClose={() => setAsks(undefined)}
        title={t('journal.batch.dropTitle')}
        verb={t('journal.batch.drop')}
        danger
        onConfirm={async () => {
          try {
            await call(dropBatch, { id: batchId() ?? '' })
            await refresh()
            go(batchesPath)
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('journal.batch.dropText')}
      </Question>
    </>
  )
}

interface LineDeeds {
  open: (line: Draft) => void
  again: (line: Draft) => void
  drop: (line: Draft) => void
}

/**
 * The lines of the batch. They are drawn again when they changed, and not for what is typed or saved meanwhile.
 */
const LinesTable = memo(function LinesTable({
  lines,
  facts,
  faults,
  deeds,
}: {
  lines: readonly Draft[]
  facts: JournalFacts
  faults: ReadonlyMap<string, LineFault[]>
  deeds: RefObject<LineDeeds | undefined>
}) {
  const t = useWords()
  return (
    <DataTable
      label={t('journal.lines')}
      main
      density="dense"
      columns={columnsOf(t, facts, faults, lines)}
      // The line that was just typed is right under the form.
      rows={lines.toReversed()}
      rowKey={({ id }) => id}
      rowName={(line) => line.details || line.reference || formatDay(line.day)}
      onOpen={(line) => deeds.current?.open(line)}
      menu={(line) => [
        {
          key: 'edit',
          label: t('journal.line.change'),
          icon: Pencil,
          onPress: () => deeds.current?.open(line),
        },
        {
          key: 'again',
          label: t('journal.line.again'),
          icon: Copy,
          onPress: () => deeds.current?.again(line),
        },
        {
          key: 'drop',
          label: t('journal.line.drop'),
          icon: Trash2,
          tone: 'danger' as const,
          onPress: () => deeds.current?.drop(line),
        },
      ]}
      empty={
        <EmptyState icon={NotebookPen} title={t('journal.empty.title')}>
          {t('journal.empty.text')}
        </EmptyState>
      }
    />
  )
})

/** What a batch is called; kept when the field is left. */
function BatchName({ id, name }: { id: string; name: string }) {
  const t = useWords()
  const [text, setText] = useState(name)
  const keep = async () => {
    if (text.trim() === name) return
    try {
      await call(keepLines, { id, name: text.trim(), put: [], drop: [] })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keyOf(getBatch) }),
        queryClient.invalidateQueries({ queryKey: keyOf(listBatches) }),
      ])
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <div className="jr-name">
      <TextField
        label={t('journal.fields.batchName')}
        max={120}
        value={text}
        onChange={setText}
        onBlur={() => void keep()}
        onKeyDown={(event) => event.key === 'Enter' && void keep()}
      />
    </div>
  )
}

function columnsOf(
  t: ReturnType<typeof useWords>,
  facts: JournalFacts,
  faults: ReadonlyMap<string, LineFault[]>,
  lines: readonly Draft[],
): Column<Draft>[] {
  const placeOf = new Map(lines.map(({ id }, i) => [id, i + 1]))
  const accountOf = new Map(facts.accounts.map((one) => [one.id, `${one.number} ${one.name}`]))
  const projectOf = new Map(facts.projects.map((one) => [one.id, one.name]))
  const codeOf = new Map(facts.vatCodes.map((one) => [one.id, one.code]))
  // What is wrong with a line is a sentence: the accounts beside it give it room.
  const accountWidth = faults.size > 0 ? '13%' : '20%'
  return [
    {
      key: 'place',
      title: t('journal.fields.place'),
      width: 'fit',
      align: 'amount',
      cell: (line) => <Num>{placeOf.get(line.id)}</Num>,
    },
    {
      key: 'day',
      title: t('journal.fields.day'),
      width: 'fit',
      phone: 'line',
      strong: true,
      cell: (line) => <Num>{formatDay(line.day)}</Num>,
    },
    ...(lines.some(({ valueDay }) => valueDay)
      ? [
          {
            key: 'valueDay',
            title: t('journal.fields.valueDay'),
            width: 'fit',
            cell: (line: Draft) => line.valueDay && <Num>{formatDay(line.valueDay)}</Num>,
          },
        ]
      : []),
    {
      key: 'reference',
      title: t('journal.fields.reference'),
      width: 'fit',
      cell: (line) => line.reference && <Num>{line.reference}</Num>,
    },
    {
      key: 'details',
      title: t('journal.fields.details'),
      width: 'trim',
      phone: 'title',
      cell: (line) => {
        const wrong = faults.get(line.id)
        return wrong ? (
          <span className="jr-fault">
            <Icon of={TriangleAlert} size="s" />
            <span className="cut" title={faultText(t, wrong[0]!)}>
              {faultText(t, wrong[0]!)}
            </span>
          </span>
        ) : (
          <TextCell value={line.details || accountOf.get(line.debitAccountId ?? '')} quiet={!line.details} />
        )
      },
    },
    {
      key: 'debit',
      title: t('journal.fields.debitAccountId'),
      width: accountWidth,
      cell: (line) => line.debitAccountId && <TextCell value={accountOf.get(line.debitAccountId)} />,
    },
    {
      key: 'credit',
      title: t('journal.fields.creditAccountId'),
      width: accountWidth,
      cell: (line) => line.creditAccountId && <TextCell value={accountOf.get(line.creditAccountId)} />,
    },
    ...(lines.some(({ projectId }) => projectId)
      ? [
          {
            key: 'project',
            title: t('journal.fields.projectId'),
            width: '12%',
            cell: (line: Draft) => line.projectId && <TextCell value={projectOf.get(line.projectId)} quiet />,
          },
        ]
      : []),
    ...(lines.some(({ currency }) => currency)
      ? [
          {
            key: 'foreign',
            title: t('journal.fields.foreignAgorot'),
            align: 'amount' as const,
            cell: (line: Draft) =>
              line.currency &&
              line.foreignAgorot !== null && <Money amount={line.foreignAgorot} currency={line.currency} />,
          },
        ]
      : []),
    ...(lines.some(({ vatCodeId }) => vatCodeId)
      ? [
          {
            key: 'code',
            title: t('journal.fields.vatCodeShort'),
            width: 'fit',
            cell: (line: Draft) => line.vatCodeId && <Num>{codeOf.get(line.vatCodeId)}</Num>,
          },
          {
            key: 'vat',
            title: t('journal.fields.vatAgorot'),
            align: 'amount' as const,
            cell: (line: Draft) => (
              <MoneyCell value={line.vatCodeId ? vatOf(line, facts) : null} zero="blank" />
            ),
          },
        ]
      : []),
    {
      key: 'amount',
      title: t('journal.fields.amountAgorot'),
      align: 'amount',
      phone: 'amount',
      cell: (line) => <MoneyCell value={line.amountAgorot} />,
    },
  ]
}
