import { CircleCheck, FileSearch, Link2, MessagesSquare, Plus, Trash2, Undo2 } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { partsOf } from '#kit/web/screens/places.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { FilesPanel } from '#features/base/files/web/index.tsx'
import { endRequest, listRequests, sayRequest, seeRequests, type RequestRow } from '../endpoints.ts'
import { LinkDialog, MakeDialog, MissingDialog } from './Dialogs.tsx'
import { Answer } from './Answer.tsx'
import { refresh } from './refresh.ts'
import './requests.css'

const tones: Record<RequestRow['state'], StatusTone> = {
  asked: 'wait',
  seen: 'wait',
  answered: 'info',
  accepted: 'done',
  dropped: 'plain',
}

/** Between the business and its accountant: what is missing, what is asked, what was answered. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const view = query.view === 'answered' || query.view === 'ended' ? query.view : 'open'
  const { data, error, refetch } = useCall(listRequests, { view }, { staleTime: 0, refetchInterval: 60_000 })
  const [dialog, setDialog] = useState<'make' | 'missing' | 'link'>()
  const mayMake = may('requests.make')
  const isAccountant = useSession()?.TypeID === 5
  useEffect(() => {
    if (!isAccountant) void call(seeRequests, {}).catch(() => undefined)
  }, [isAccountant])
  const make = mayMake && (
    <Button kind="primary" icon={Plus} onPress={() => setDialog('make')}>
      {t('requests.new')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('screens.cpaOnline')}
        sub={t('requests.sub')}
        actions={
          mayMake && (
            <>
              <Button icon={FileSearch} onPress={() => setDialog('missing')}>
                {t('requests.findMissing')}
              </Button>
              <Button icon={Link2} onPress={() => setDialog('link')}>
                {t('requests.link')}
              </Button>
              {make}
            </>
          )
        }
      >
        <Views
          label={t('screens.cpaOnline')}
          value={view}
          onChange={(next) => setQuery({ view: next === 'open' ? undefined : next })}
          views={[
            { key: 'open', label: t('requests.view.open'), ...(data ? { count: data.counts.open } : {}) },
            {
              key: 'answered',
              label: t('requests.view.answered'),
              ...(data ? { count: data.counts.answered } : {}),
            },
            { key: 'ended', label: t('requests.view.ended') },
          ]}
        />
      </PageHeader>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : data.rows.length === 0 ? (
        <EmptyState
          icon={MessagesSquare}
          title={t(`requests.empty.${view}`)}
          actions={view === 'open' && make}
        >
          {view === 'open' ? t('requests.empty.text') : undefined}
        </EmptyState>
      ) : (
        <ul className="rq-list">
          {data.rows.map((row) => (
            <Request key={row.id} of={row} mayMake={mayMake} />
          ))}
        </ul>
      )}
      {/* Below the list and after it, so that nothing moves when it comes. */}
      {data && (
        <Suspense>
          {partsOf('requests').map((Part, i) => (
            <Part key={i} of="" refresh={() => void refetch()} />
          ))}
        </Suspense>
      )}
      {dialog === 'make' && <MakeDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'missing' && <MissingDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'link' && <LinkDialog onClose={() => setDialog(undefined)} />}
    </>
  )
}

function Request({ of: row, mayMake }: { of: RequestRow; mayMake: boolean }) {
  const t = useWords()
  const [open, setOpen] = useState(false)
  const isOver = row.state === 'accepted' || row.state === 'dropped'
  const end = (as: 'accepted' | 'dropped' | 'asked') =>
    void call(endRequest, { id: row.id, as }).then(refresh, (e: unknown) => banner.error(failureText(t, e)))
  return (
    <li className="rq-one">
      <header>
        <span className="hint">{t(`requests.kind.${row.kind}`)}</span>
        {row.day && <Num>{formatDay(row.day)}</Num>}
        {row.sumAgorot !== null && row.sumAgorot !== undefined && <MoneyCell value={row.sumAgorot} />}
        <StatusPill tone={tones[row.state]}>{t(`requests.state.${row.state}`)}</StatusPill>
        {row.byItself && <span className="hint">{t('requests.byItself')}</span>}
      </header>
      <p className="t" dir="auto">
        {row.text}
      </p>
      <p className="hint text-13">
        <bdi>{row.askedBy}</bdi> · <Num>{formatMoment(new Date(row.createdAt))}</Num>
      </p>
      {(row.aboutPath || row.paperId || row.expenseId) && (
        <nav className="rq-to" aria-label={t('requests.leads')}>
          {row.aboutPath && (
            <Link href={row.aboutPath} className="aim">
              {t('requests.about')}
            </Link>
          )}
          {row.paperId && (
            <Link href={`/invoice/expensesspage/${row.paperId}`} className="aim">
              {t('requests.thePaper')}
            </Link>
          )}
          {row.expenseId && (
            <Link href={`/invoice/Expenses/all/${row.expenseId}`} className="aim">
              {t('requests.theExpense')}
            </Link>
          )}
        </nav>
      )}
      {row.words.length > 0 && (
        <ol className="rq-words">
          {row.words.map((word) => (
            <li key={word.id}>
              <span className="hint text-13">
                <bdi>{word.by ?? t('requests.byLink')}</bdi> · <Num>{formatMoment(new Date(word.at))}</Num>
              </span>
              <p dir="auto">{word.text}</p>
            </li>
          ))}
        </ol>
      )}
      {open && (
        <>
          <FilesPanel entity="clientRequests" id={row.id} mayChange={!isOver} />
          {!isOver && (
            <Answer
              label={t('requests.say')}
              onSend={(text) => call(sayRequest, { id: row.id, text }).then(refresh)}
            />
          )}
        </>
      )}
      <div className="rq-acts">
        <Button size="s" kind="quiet" expanded={open} onPress={() => setOpen(!open)}>
          {t(isOver ? 'requests.files' : 'requests.answer')}
        </Button>
        {mayMake && !isOver && (
          <>
            <Button size="s" icon={CircleCheck} onPress={() => end('accepted')}>
              {t('requests.accept')}
            </Button>
            <Button size="s" kind="quiet" icon={Trash2} onPress={() => end('dropped')}>
              {t('requests.drop')}
            </Button>
          </>
        )}
        {mayMake && isOver && (
          <Button size="s" kind="quiet" icon={Undo2} onPress={() => end('asked')}>
            {t('requests.askAgain')}
          </Button>
        )}
      </div>
    </li>
  )
}
