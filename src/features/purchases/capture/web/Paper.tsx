import {
  ChevronLeft,
  ChevronRight,
  Download,
  LoaderCircle,
  RotateCw,
  ScanText,
  Scissors,
  Undo2,
  X,
} from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatMoment } from '#domain/format.ts'
import type { Spot } from '#domain/papers/proposal.ts'
import { call, callFile, keyOf, queryClient, useCall, useFailureText } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { banner, toast } from '#kit/web/parts/notices.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getFile } from '#features/base/files/endpoints.ts'
import {
  getPaper,
  listPapers,
  readPaperAgain,
  rejectPaper,
  restorePaper,
  splitPaper,
  type PaperAnswer,
} from '../endpoints.ts'
import { openPaper } from './Inbox.tsx'
import { PaperForm, type FormHandle } from './PaperForm.tsx'
import { Sheet } from './Sheet.tsx'
import './capture.css'

const expenseHref = (id: string) => `/invoice/Expenses/all/${id}`

/** One paper beside the form of its expense; filing goes on to the next. */
export function Screen() {
  const { params } = usePlace()
  return <OnePaper key={params.id} id={params.id ?? ''} />
}

function OnePaper({ id }: { id: string }) {
  const t = useWords()
  const say = useFailureText()
  const [page, setPage] = useState(0)
  const [lit, setLit] = useState<readonly Spot[]>([])
  const [takes, setTakes] = useState(false)
  const [splitting, setSplitting] = useState(false)
  const form = useRef<FormHandle>(null)
  const { data: paper, error } = useCall(
    getPaper,
    { id },
    {
      refetchInterval: ({ state: { data: now } }) =>
        now?.state === 'waiting' || now?.state === 'reading' ? 1200 : false,
      refetchOnWindowFocus: false,
    },
  )
  const isUnread = paper?.state === 'waiting' || paper?.state === 'reading'
  const isOpen = paper?.state === 'read'
  const fresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keyOf(listPapers) }),
      queryClient.invalidateQueries({ queryKey: keyOf(getPaper) }),
    ])
  const found = useMemo(
    () => (paper ? Object.values(paper.proposal).flatMap((guess) => guess?.spots ?? []) : []),
    [paper],
  )
  // A value on another page brings that page.
  if (lit[0] && !lit.some((spot) => spot.page === page)) setPage(lit[0].page)

  const deed = async (work: () => Promise<unknown>) => {
    try {
      await work()
      await fresh()
    } catch (e) {
      banner('late', say(e))
    }
  }
  const reject = () =>
    deed(async () => {
      const { nextId } = await call(rejectPaper, { id })
      toast(
        t('papers.rejectedOne', { name: paper?.supplierName ?? paper?.name ?? '' }),
        () =>
          void deed(async () => {
            await call(restorePaper, { id })
            openPaper(id)
          }),
      )
      openPaper(nextId)
    })
  useKeys({
    n: () => paper?.nextId && openPaper(paper.nextId),
    j: () => paper?.nextId && openPaper(paper.nextId),
    p: () => paper?.previousId && openPaper(paper.previousId),
    k: () => paper?.previousId && openPaper(paper.previousId),
    r: () => (isOpen || isUnread) && void reject(),
    'mod+Enter': () => isOpen && form.current?.file(),
  })

  if (error && !paper)
    return (
      <EmptyState
        icon={ScanText}
        title={t('papers.failed')}
        actions={<Button href="/invoice/expensesspage">{t('papers.back')}</Button>}
      >
        {say(error)}
      </EmptyState>
    )
  if (!paper) return <Skeleton lines={8} />
  const { fileId } = paper
  return (
    <div className="cp-paper">
      <PageHeader
        crumbs={[{ label: t('papers.title'), href: '/invoice/expensesspage' }]}
        title={paper.supplierName ?? (paper.subject || paper.name)}
        status={paper.exact && <StatusPill tone="done">{t('papers.exact')}</StatusPill>}
        sub={
          <>
            {(paper.supplierName || paper.subject) && (
              <>
                <bdi>{paper.name}</bdi> ·{' '}
              </>
            )}
            <bdi>{paper.source === 'mail' ? paper.sender : t(`papers.source.${paper.source}`)}</bdi> ·{' '}
            <Num>{formatMoment(new Date(paper.createdAt))}</Num>
          </>
        }
        actions={
          <>
            <Button
              kind="quiet"
              icon={ChevronLeft}
              m
              label={t('papers.previous')}
              isDisabled={!paper.previousId}
              onPress={() => openPaper(paper.previousId)}
            />
            <Button
              kind="quiet"
              icon={ChevronRight}
              m
              label={t('papers.next')}
              isDisabled={!paper.nextId}
              onPress={() => openPaper(paper.nextId)}
            />
            {(isOpen || isUnread) && (
              <Button icon={X} onPress={() => void reject()}>
                {t('papers.reject')}
              </Button>
            )}
          </>
        }
        more={[
          ...(fileId
            ? [
                {
                  key: 'save',
                  label: t('papers.original'),
                  icon: Download,
                  onPress: () =>
                    void callFile(getFile, { id: fileId }, { name: paper.name }).catch((e: unknown) =>
                      banner('late', say(e)),
                    ),
                },
              ]
            : []),
          ...(fileId && isOpen
            ? [
                {
                  key: 'read',
                  label: t('papers.readAgain'),
                  icon: RotateCw,
                  onPress: () => void deed(() => call(readPaperAgain, { id })),
                },
              ]
            : []),
          ...(isOpen && paper.pageCount > 1
            ? [
                {
                  key: 'split',
                  label: t('papers.split.do'),
                  icon: Scissors,
                  onPress: () => setSplitting(true),
                },
              ]
            : []),
        ]}
      />
      <Notes paper={paper} onRestore={() => void deed(() => call(restorePaper, { id }))} />
      <div
        className="cp-sides"
        data-alone={
          paper.pages.length === 0 && paper.lines.length === 0 && !paper.note && !isUnread ? '' : undefined
        }
      >
        <div className="cp-left">
          {isUnread ? (
            <div className="cp-wait" role="status">
              <Icon of={LoaderCircle} size="xl" className="k-busy" />
              <p>{t('papers.reading')}</p>
            </div>
          ) : paper.pages.length > 0 ? (
            <Sheet
              paper={paper}
              page={Math.min(page, paper.pages.length - 1)}
              onPage={setPage}
              lit={lit}
              found={isOpen ? found : []}
              takes={takes && isOpen}
              onWord={(text, spot, more) => form.current?.take(text, spot, more)}
            />
          ) : (
            paper.note && <p className="cp-letter">{paper.note}</p>
          )}
          {paper.lines.length > 0 && <Lines paper={paper} />}
        </div>
        {isOpen && (
          <PaperForm
            key={`${paper.id}${paper.pageFrom ?? ''}${JSON.stringify(paper.proposal).length}`}
            ref={form}
            paper={paper}
            onLit={setLit}
            onActive={setTakes}
            onFiled={(expenseId, nextId, state) => {
              toast(
                <>
                  {t(state === 'waiting' ? 'papers.waitsForApproval' : 'papers.filedOne')}{' '}
                  <Link href={expenseHref(expenseId)}>{t('papers.openExpense')}</Link>
                </>,
              )
              void fresh()
              openPaper(nextId)
            }}
          />
        )}
      </div>
      {splitting && <Split paper={paper} onClose={() => setSplitting(false)} onDone={() => void fresh()} />}
    </div>
  )
}

/** What prevents this bill from becoming an expense. */
function Notes({ paper, onRestore }: { paper: PaperAnswer; onRestore: () => void }) {
  const t = useWords()
  return (
    <div className="cp-notes">
      {paper.state === 'filed' && paper.expenseId && (
        <Note tone="done" action={<Link href={expenseHref(paper.expenseId)}>{t('papers.openExpense')}</Link>}>
          {t('papers.isFiled')}
        </Note>
      )}
      {paper.state === 'rejected' && (
        <Note
          action={
            <Button kind="quiet" icon={Undo2} onPress={onRestore}>
              {t('papers.restore')}
            </Button>
          }
        >
          {t('papers.isRejected')}
        </Note>
      )}
      {paper.problem && paper.state === 'read' && (
        <Note tone="wait">{t(`papers.problem.${paper.problem}`)}</Note>
      )}
      {paper.duplicate && paper.state === 'read' && (
        <Note
          tone="wait"
          action={
            <Link
              href={
                paper.duplicate.expenseId
                  ? expenseHref(paper.duplicate.expenseId)
                  : `/invoice/expensesspage/${paper.duplicate.id}`
              }
            >
              {t('papers.openTwin')}
            </Link>
          }
        >
          {t(paper.duplicate.state === 'filed' ? 'papers.twinFiled' : 'papers.twin', {
            name: paper.duplicate.name,
          })}
        </Note>
      )}
    </div>
  )
}

/** The lines of an electronic invoice, as it says them. */
function Lines({ paper }: { paper: PaperAnswer }) {
  const t = useWords()
  return (
    <table className="cp-lines">
      <caption>{t('papers.lines.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('papers.lines.description')}</th>
          <th scope="col">{t('papers.lines.quantity')}</th>
          <th scope="col">{t('papers.lines.net')}</th>
        </tr>
      </thead>
      <tbody>
        {paper.lines.map((line, index) => (
          <tr key={index}>
            <td dir="auto">{line.description}</td>
            <td>
              <Num>{line.quantity}</Num>
            </td>
            <td>
              <MoneyCell value={line.netAgorot} currency={paper.currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A file that holds several papers: which pages begin a new one. */
function Split({ paper, onClose, onDone }: { paper: PaperAnswer; onClose: () => void; onDone: () => void }) {
  const t = useWords()
  const say = useFailureText()
  const [begins, setBegins] = useState<readonly number[]>([])
  const [busy, setBusy] = useState(false)
  const split = async () => {
    setBusy(true)
    try {
      const { ids } = await call(splitPaper, { id: paper.id, begins: [...begins] })
      toast(t('papers.split.done', { count: ids.length }))
      onDone()
      onClose()
    } catch (e) {
      banner('late', say(e))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('papers.split.title')}
      actions={
        <Button
          kind="primary"
          icon={Scissors}
          busy={busy}
          {...(begins.length === 0 ? { blocked: t('papers.split.choose') } : {})}
          onPress={() => void split()}
        >
          {t('papers.split.into', { count: begins.length + 1 })}
        </Button>
      }
    >
      <p>{t('papers.split.text')}</p>
      <div className="cp-split">
        {Array.from({ length: paper.pageCount - 1 }, (_, index) => index + 2).map((page) => (
          <Button
            key={page}
            kind={begins.includes(page) ? 'soft' : 'plain'}
            pressed={begins.includes(page)}
            onPress={() =>
              setBegins(begins.includes(page) ? begins.filter((one) => one !== page) : [...begins, page])
            }
          >
            {t('papers.pageNumber', { page })}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}
