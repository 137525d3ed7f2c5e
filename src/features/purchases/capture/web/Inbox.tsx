import {
  Camera,
  Copy,
  FileScan,
  FileUp,
  FileX2,
  Inbox as InboxIcon,
  LoaderCircle,
  Mail,
  RotateCw,
  StickyNote,
  Undo2,
  X,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall, useFailureText } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { FileDrop } from '#kit/web/parts/FileDrop.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { banner, toast } from '#kit/web/parts/notices.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { useMedia } from '#kit/web/parts/useMedia.ts'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useStateFor } from '#kit/web/hooks/useStateFor.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listPapers, rejectPaper, restorePaper, type PaperRow } from '../endpoints.ts'
import { MailAddress } from './MailAddress.tsx'
import { useThumbnail } from './picture.ts'
import { clearSendings, sendAgain, sendPapers, useSendings } from './uploads.ts'
import './capture.css'

const accept = '.pdf,.xml,image/jpeg,image/png,image/webp'
const most = 20 * 1024 * 1024
type State = 'open' | 'filed' | 'rejected'

const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(listPapers) })

/** Papers that wait to become expenses: dropped, photographed or mailed; opened one after the other. */
export function Screen() {
  const t = useWords()
  const say = useFailureText()
  const { query, setQuery } = usePlace()
  const state: State = query.view === 'filed' || query.view === 'rejected' ? query.view : 'open'
  const [mail, setMail] = useState(false)
  const touch = useMedia('(pointer: coarse)')
  const camera = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const { data, error, refetch } = useCall(
    listPapers,
    { state },
    // Files that are being read become rows with figures automatically.
    { refetchInterval: ({ state: { data: now } }) => ((now?.counts.unread ?? 0) > 0 ? 1500 : 20_000) },
  )
  const [further, setFurther] = useStateFor<{ rows: PaperRow[]; cursor: string | null } | undefined>(
    state,
    undefined,
  )
  const rows = [...(data?.rows ?? []), ...(further?.rows ?? [])]
  const cursor = further ? further.cursor : data?.nextCursor
  const [at, setAt] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const move = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, at + by))
    setAt(next)
    list.current?.querySelectorAll<HTMLElement>('.open')[next]?.focus()
  }
  useKeys({
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    n: () => chooser.current?.click(),
    r: () => state === 'open' && rows[at] && void reject(rows[at]),
  })

  const reject = async (row: PaperRow) => {
    try {
      await call(rejectPaper, { id: row.id })
      toast(t('papers.rejectedOne', { name: row.supplierName ?? row.name }), () => void restore(row))
    } catch (e) {
      banner('late', say(e))
    }
    await refresh()
  }
  const restore = async (row: PaperRow) => {
    await call(restorePaper, { id: row.id }).catch((e: unknown) => void banner('late', failureText(t, e)))
    await refresh()
  }
  const more = async () => {
    if (!cursor) return
    try {
      const answer = await call(listPapers, { state, cursor })
      setFurther({ rows: [...(further?.rows ?? []), ...answer.rows], cursor: answer.nextCursor })
    } catch (e) {
      banner('late', say(e))
    }
  }
  const take = (source: 'upload' | 'phone') => (event: React.ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])]
    event.target.value = ''
    if (files.length) sendPapers(files, source)
  }
  const counts = data?.counts
  return (
    <div className="cp-inbox">
      <PageHeader
        title={t('papers.title')}
        actions={
          <>
            <Button icon={Mail} onPress={() => setMail(true)}>
              {t('papers.mail.short')}
            </Button>
            {rows.length > 0 && state === 'open' && (
              <Button kind="primary" icon={FileScan} href={`/invoice/expensesspage/${rows[0]!.id}`}>
                {t('papers.start')}
              </Button>
            )}
          </>
        }
      >
        <Views<State>
          chips
          label={t('papers.views')}
          value={state}
          onChange={(view) => setQuery({ view: view === 'open' ? undefined : view })}
          views={[
            { key: 'open', label: t('papers.open'), count: counts?.open },
            { key: 'filed', label: t('papers.filed') },
            { key: 'rejected', label: t('papers.rejected') },
          ]}
        />
      </PageHeader>
      {state === 'open' &&
        (touch ? (
          <div className="cp-pick">
            <Button icon={Camera} kind="primary" wide onPress={() => camera.current?.click()}>
              {t('papers.photograph')}
            </Button>
            <Button icon={FileUp} wide onPress={() => chooser.current?.click()}>
              {t('papers.choose')}
            </Button>
          </div>
        ) : (
          <FileDrop
            multiple
            accept={accept}
            limit={most}
            icon={FileScan}
            onFiles={(files) => sendPapers(files, 'upload')}
          >
            {t('papers.drop')}
          </FileDrop>
        ))}
      <input
        ref={camera}
        type="file"
        hidden
        accept="image/*"
        capture="environment"
        onChange={take('phone')}
        aria-label={t('papers.photograph')}
      />
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept={accept}
        onChange={take(touch ? 'phone' : 'upload')}
        aria-label={t('papers.choose')}
      />
      <Sendings />
      {error && !data ? (
        <EmptyState
          icon={FileX2}
          title={t('papers.failed')}
          actions={<Button onPress={() => void refetch()}>{t('kit.actions.retry')}</Button>}
        >
          {say(error)}
        </EmptyState>
      ) : !data ? (
        <Skeleton lines={5} />
      ) : rows.length === 0 ? (
        <EmptyState icon={InboxIcon} title={t(`papers.empty.${state}`)}>
          {state === 'open' && t('papers.empty.text')}
        </EmptyState>
      ) : (
        <ul className="cp-list" ref={list} aria-label={t('papers.title')}>
          {rows.map((row, index) => (
            <Row
              key={row.id}
              row={row}
              onFocus={() => setAt(index)}
              onReject={() => void reject(row)}
              onRestore={() => void restore(row)}
            />
          ))}
        </ul>
      )}
      {cursor && (
        <div className="cp-more">
          <Button onPress={() => void more()}>{t('papers.more')}</Button>
        </div>
      )}
      <MailAddress isOpen={mail} onClose={() => setMail(false)} />
    </div>
  )
}

function Row({
  row,
  onFocus,
  onReject,
  onRestore,
}: {
  row: PaperRow
  onFocus: () => void
  onReject: () => void
  onRestore: () => void
}) {
  const t = useWords()
  const isUnread = row.state === 'waiting' || row.state === 'reading'
  // A sum is shown in bold only where it agrees with its VAT and the rate of its day.
  const isDoubted = row.state !== 'filed' && (row.confidence ?? 1) < 0.85
  const name = row.supplierName ?? (row.isNote ? row.subject || row.name : row.name)
  return (
    <li>
      <Link className="open" href={`/invoice/expensesspage/${row.id}`} onFocus={onFocus}>
        <Thumb row={row} />
        <span className="what">
          <bdi className="name" title={name}>
            {name}
          </bdi>
          <span className="facts">
            {row.number && (
              <>
                <Num>{row.number}</Num> ·{' '}
              </>
            )}
            {row.day && (
              <>
                <Num>{formatDay(row.day)}</Num> ·{' '}
              </>
            )}
            <span className="when">
              <bdi>{row.source === 'mail' ? row.sender : t(`papers.source.${row.source}`)}</bdi> ·{' '}
              <Num>{formatMoment(new Date(row.createdAt))}</Num>
            </span>
          </span>
        </span>
        <span className="end">
          {row.totalAgorot !== null && (
            <span className="sum" data-doubted={isDoubted || undefined}>
              {isDoubted && (
                <span
                  className="doubt"
                  role="img"
                  aria-label={t('papers.sure.mid')}
                  title={t('papers.sure.mid')}
                >
                  ?
                </span>
              )}
              <MoneyCell value={row.totalAgorot} currency={row.currency} />
            </span>
          )}
          <State row={row} isUnread={isUnread} />
        </span>
      </Link>
      {row.state === 'rejected' ? (
        <Button kind="quiet" icon={Undo2} label={t('papers.restoreNamed', { name })} onPress={onRestore} />
      ) : row.state === 'filed' ? null : (
        <Button kind="quiet" icon={X} label={t('papers.rejectNamed', { name })} onPress={onReject} />
      )}
    </li>
  )
}

function State({ row, isUnread }: { row: PaperRow; isUnread: boolean }) {
  const t = useWords()
  if (isUnread)
    return (
      <span className="cp-reading">
        <Icon of={LoaderCircle} size="s" className="k-busy" /> {t(`papers.state.${row.state}`)}
      </span>
    )
  if (row.problem) return <StatusPill tone="wait">{t(`papers.problemShort.${row.problem}`)}</StatusPill>
  if (row.state === 'filed') return <StatusPill tone="done">{t('papers.state.filed')}</StatusPill>
  if (row.duplicateOf)
    return (
      <StatusPill tone="wait">
        <Icon of={Copy} size="s" /> {t('papers.duplicate')}
      </StatusPill>
    )
  if (row.exact) return <StatusPill tone="done">{t('papers.exact')}</StatusPill>
  if (row.isNote) return <StatusPill>{t('papers.note')}</StatusPill>
  return null
}

function Thumb({ row }: { row: PaperRow }) {
  const url = useThumbnail(row.id, row.hasPicture)
  return (
    <span className="cp-thumb" aria-hidden>
      {url ? <img src={url} alt="" /> : <Icon of={row.isNote ? StickyNote : FileScan} size="l" />}
    </span>
  )
}

/** How far a batch has come; what was refused says why and can be sent again. */
function Sendings() {
  const t = useWords()
  const say = useFailureText()
  const all = useSendings()
  const failed = all.filter((one) => one.state === 'failed')
  const over = all.filter((one) => one.state === 'done' || one.state === 'failed').length
  const twins = all.filter((one) => one.duplicate)
  const isRunning = over < all.length
  useEffect(() => {
    if (all.length > 0 && !isRunning && failed.length === 0 && twins.length === 0) clearSendings()
  }, [all.length, isRunning, failed.length, twins.length])
  if (all.length === 0) return null
  return (
    <section className="cp-sendings" aria-label={t('papers.sending.title')}>
      <div className="head">
        <span className="grow" role="status">
          {isRunning
            ? t('papers.sending.runs', { done: over, total: all.length })
            : t('papers.sending.done', { count: over - failed.length })}
        </span>
        <Button kind="quiet" size="s" icon={X} label={t('kit.actions.close')} onPress={clearSendings} />
      </div>
      {isRunning && (
        <span
          className="k-track"
          role="progressbar"
          aria-label={t('papers.sending.title')}
          aria-valuenow={Math.round((over / all.length) * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ inlineSize: `${(over / all.length) * 100}%` }} />
        </span>
      )}
      {twins.map((one) => (
        <p key={one.key}>
          <bdi>{one.file.name}</bdi> <span className="hint">{t('papers.sending.twin')}</span>
        </p>
      ))}
      {failed.map((one) => (
        <div key={one.key} className="head" role="alert">
          <span className="grow">
            <bdi>{one.file.name}</bdi> <span className="why">{say(one.failure)}</span>
          </span>
          <Button
            kind="quiet"
            size="s"
            icon={RotateCw}
            label={t('kit.actions.retry')}
            onPress={() => sendAgain(one.key)}
          />
        </div>
      ))}
    </section>
  )
}

export const openPaper = (id: string | null): void =>
  go(id ? `/invoice/expensesspage/${id}` : '/invoice/expensesspage')
