import { CloudOff, FileInput, Landmark } from 'lucide-react'
import { useContext, useEffect, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { call, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { PlainCells } from '#kit/web/parts/plainCells.ts'
import { FileField } from '#kit/web/fields/FileField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { listRuns, readReturns, type Run, type RunDirection } from '../endpoints.ts'
import './masav.css'

const pathOf = (id: string) => `/invoice/masavfile/${id}`

/** Read on from here. */
const begin = (result: HTMLElement | null) => result?.focus({ preventScroll: true })

/** The files of one direction, the newest first. */
export function Runs({
  direction,
  title,
  newPath,
}: {
  direction: RunDirection
  title: string
  newPath: string
}) {
  const t = useWords()
  const may = useCan()('masav.make')
  const [reads, setReads] = useState(false)
  const { data, isLoading, error } = useCall(listRuns, { direction })
  return (
    <>
      <PageHeader
        title={title}
        actions={
          may && (
            <>
              <Button icon={FileInput} onPress={() => setReads(true)}>
                {t('masav.readReturns')}
              </Button>
              <Button kind="primary" icon={Landmark} href={newPath}>
                {t('masav.newFile')}
              </Button>
            </>
          )
        }
      />
      <DataTable
        label={title}
        main
        rows={data?.rows ?? []}
        rowKey={(run) => run.id}
        rowName={(run) => String(run.number)}
        rowHref={(run) => pathOf(run.id)}
        onOpen={(run) => go(pathOf(run.id))}
        isOff={(run) => run.undoneAt !== null}
        loading={isLoading}
        empty={
          error ? (
            <EmptyState icon={CloudOff} title={t('kit.reports.failed')}>
              {failureText(t, error)}
            </EmptyState>
          ) : (
            <EmptyState
              icon={Landmark}
              title={t('masav.noFiles')}
              actions={
                may && (
                  <Button kind="soft" icon={Landmark} href={newPath}>
                    {t('masav.newFile')}
                  </Button>
                )
              }
            >
              {t('masav.noFilesText')}
            </EmptyState>
          )
        }
        columns={[
          {
            key: 'number',
            title: t('masav.number'),
            strong: true,
            width: 'fit',
            phone: 'title',
            cell: (run) => <Num>{run.number}</Num>,
          },
          {
            key: 'made',
            title: t('masav.madeOn'),
            width: 'fit',
            cell: (run) => <Num>{formatDay(run.madeOn)}</Num>,
          },
          {
            key: 'day',
            title: t('masav.payDay'),
            width: 'fit',
            phone: 'line',
            cell: (run) => <DayCell run={run} />,
          },
          {
            key: 'by',
            title: t('masav.madeBy'),
            width: 'trim',
            cell: (run) => <TextCell value={run.madeBy} />,
          },
          {
            key: 'state',
            title: t('masav.state'),
            width: 'fit',
            phone: 'state',
            cell: (run) => <StateOf run={run} />,
          },
          { key: 'lines', title: t('masav.lines'), align: 'amount', cell: (run) => <Num>{run.lines}</Num> },
          {
            key: 'total',
            title: t('masav.total'),
            align: 'amount',
            phone: 'amount',
            cell: (run) => <MoneyCell value={run.totalAgorot} />,
          },
          ...(data?.rows.some((run) => run.returned > 0) ? returnedColumns(t) : []),
        ]}
      />
      {reads && <ReturnsDialog onClose={() => setReads(false)} />}
    </>
  )
}

/** How many payments of a file came back, and what they come to. */
const returnedColumns = (t: Words): Column<Run>[] => [
  {
    key: 'returned',
    title: t('masav.returnedLines'),
    align: 'amount',
    cell: (run) => run.returned > 0 && <Num>{run.returned}</Num>,
  },
  {
    key: 'returnedSum',
    title: t('masav.returnedSum'),
    align: 'amount',
    cell: (run) => run.returned > 0 && <MoneyCell value={run.returnedAgorot} />,
  },
]

/** On a card a returned payment has a separate line: beside the day a long amount would be cut. */
function DayCell({ run }: { run: Run }) {
  const t = useWords()
  const isCard = useContext(PlainCells)
  return (
    <>
      <Num>{formatDay(run.payDay)}</Num>
      {isCard && run.returned > 0 && (
        <>
          <br />
          {t('masav.returnedSum')} <MoneyCell value={run.returnedAgorot} />
        </>
      )}
    </>
  )
}

export function StateOf({ run }: { run: Run }) {
  const t = useWords()
  const today = useToday()
  if (run.undoneAt) return <StatusPill tone="draft">{t('masav.isUndone')}</StatusPill>
  const collected = run.collectedAt ? run.lines - run.returned : 0
  if (run.returned > 0 && collected > 0)
    return (
      <StatusPill tone="late">{t('masav.collectedOf', { count: collected, lines: run.lines })}</StatusPill>
    )
  if (run.returned > 0)
    return <StatusPill tone="late">{t('masav.returnedCount', { count: run.returned })}</StatusPill>
  if (run.direction === 'debit')
    return (
      <StatusPill tone={run.collectedAt ? 'done' : 'wait'}>
        {t(run.collectedAt ? 'masav.collected' : 'masav.onTheWay')}
      </StatusPill>
    )
  const isAhead = run.payDay > today
  return (
    <StatusPill tone={isAhead ? 'wait' : 'done'}>{t(isAhead ? 'masav.onTheWay' : 'masav.paid')}</StatusPill>
  )
}

function ReturnsDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const hides = useSession()?.HideTotalPrices ?? false
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<Awaited<ReturnType<typeof read>>>()
  const field = useRef<HTMLDivElement>(null)
  // What is wrong with the file is said at it.
  useEffect(() => {
    if (problem) field.current?.querySelector<HTMLElement>('.k-in')?.focus()
  }, [problem])
  const read = (chosen: File) => call(readReturns, { name: chosen.name, bytes: chosen })
  const take = async () => {
    if (!file) return
    setBusy(true)
    setProblem(undefined)
    try {
      setFound(await read(file))
      // Bills, invoices and balances are open again too.
      await queryClient.invalidateQueries()
    } catch (e) {
      setProblem(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('masav.readReturns')}
      form
      actions={
        found ? (
          <Button kind="primary" onPress={onClose}>
            {t('kit.actions.close')}
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>{t('kit.forms.cancel')}</Button>
            <Button kind="primary" busy={busy} isDisabled={!file} onPress={() => void take()}>
              {t('masav.read')}
            </Button>
          </>
        )
      }
    >
      {found ? (
        <div
          ref={begin}
          role="group"
          aria-label={file?.name}
          tabIndex={-1}
          data-kept=""
          className="grid gap-3"
        >
          {(found.returned.length > 0 || found.known + found.strangers.length === 0) && (
            <Note tone={found.returned.length > 0 ? 'late' : 'info'}>
              {t('masav.returnsFound', { count: found.returned.length })}
            </Note>
          )}
          {found.returned.length > 0 && (
            <ul>
              {found.returned.map((one, i) => (
                <li key={i}>
                  <bdi>{one.name}</bdi> ·{' '}
                  {!hides && (
                    <>
                      <Money amount={one.amountAgorot} /> ·{' '}
                    </>
                  )}
                  <Link className="link" href={pathOf(one.runId)}>
                    {t('masav.fileOf', { number: String(one.number) })}
                  </Link>
                </li>
              ))}
            </ul>
          )}
          {found.known > 0 && <p>{t('masav.returnsKnown', { count: found.known })}</p>}
          {found.strangers.length > 0 && (
            <>
              <p>{t('masav.strangers')}</p>
              <ul>
                {found.strangers.map((one, i) => (
                  <li key={i}>
                    <bdi>{one.name}</bdi> · <Num>{one.reference}</Num>
                    {!hides && (
                      <>
                        {' '}
                        · <Money amount={one.amountAgorot} />
                      </>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      ) : (
        <div ref={field}>
          <FileField
            label={t('masav.returnsFile')}
            hint={t('masav.returnsHint')}
            value={file}
            onChange={setFile}
            limit={2 * 1024 * 1024}
            error={problem}
            autoFocus
          />
        </div>
      )}
    </Dialog>
  )
}
