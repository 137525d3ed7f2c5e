import { Plug, RefreshCw, Unplug } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { dayInJerusalem } from '#domain/day.ts'
import { formatDay, formatMoment } from '#domain/format.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { useCameBack, type CameBack } from '#kit/web/routes/cameBack.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { LogInFirst } from '#kit/web/parts/LogInFirst.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import './allocation.css'
import { warnDays } from './LinkNote.tsx'

/** The state of a business's connection to a service of the authority, as its call answers it. */
interface Link {
  authority: 'real' | 'simulator' | 'off'
  state: 'none' | 'connected' | 'ended'
  connectedAt: string | null
  connectedBy: string | null
  endsAt: string | null
  daysLeft: number | null
  awayUntil: string | null
}

type Call = Endpoint<any, any>

/** A service of the authority into which a person logs in there: its calls, and where its words stand. */
export interface Service {
  /** `<words>.link.text` and its like, `errors.<words>.ended`: what is said differently of each service. */
  words: string
  /** The name of the screen. */
  screen: string
  connection: Call
  connect: Call
  returned: Call
  renew: Call
  revoke: Call
  /** What changes with the connection. */
  stale: readonly Call[]
}

const answerNames = ['code', 'state', 'error', 'error_description']

interface Rights {
  see: boolean
  change: boolean
}

export interface AuthorityPageProps<L extends Link> {
  of: Service
  may: Rights
  /** What can be done where this server has no access, and beside the connection. */
  off?: ReactNode
  beside?: (link: L) => ReactNode
  /** What the service is there for, under the connection. */
  children: (link: L) => ReactNode
}

/** Where the authority sends people back, and where the connection is seen and kept. */
export function AuthorityPage<L extends Link>(props: AuthorityPageProps<L>) {
  const t = useWords()
  const session = useSession()
  const cameBack = useCameBack(answerNames)
  const { words, screen } = props.of
  const title = t(`screens.${screen}`)
  return (
    <div className="al-page">
      <PageHeader
        title={title}
        {...(session ? { crumbs: [{ label: t('screens.settings'), href: '/invoice/Settings' }] } : {})}
      />
      {!session ? (
        <LogInFirst icon={Plug} title={title}>
          {t(`${words}.link.login`)}
        </LogInFirst>
      ) : props.may.see ? (
        <Inside {...props} cameBack={cameBack} />
      ) : (
        <Note tone="wait">{t(`${words}.link.noRight`)}</Note>
      )}
    </div>
  )
}

function Inside<L extends Link>({
  of,
  may,
  off,
  beside,
  cameBack: { said, given, forget },
  children,
}: AuthorityPageProps<L> & { cameBack: CameBack }) {
  const t = useWords()
  const { data, error, refetch } = useCall<Call, L>(of.connection, {}, { refetchInterval: 20_000 })
  const { mutate, isPending } = useSend(of.returned, {
    refresh: of.stale,
    onSuccess: () => {
      given()
      banner.success(t(`${of.words}.link.isConnected`))
    },
    onError: (e) => {
      given(e)
      banner.error(failureText(t, e))
    },
  })
  const { code, state } = said
  const taken = useRef('')
  useEffect(() => {
    // The code is good once: it is sent once, even where effects run twice.
    if (!code || !state || taken.current === code) return
    taken.current = code
    mutate({ code, state })
  }, [code, state, mutate])
  const refusedThere = said.error
  const tell = useEffectEvent(() => {
    forget()
    banner.error(t(`errors.${of.words}.loginRefused`))
  })
  useEffect(() => {
    if (refusedThere) tell()
  }, [refusedThere])

  if (error && !data) return <Failed error={error} onRetry={refetch} />
  if (isPending) return <Note>{t('allocation.link.working')}</Note>
  if (!data) return <Skeleton lines={5} />
  return (
    <>
      {data.authority === 'simulator' && <Note>{t(`${of.words}.link.simulator`)}</Note>}
      {data.authority === 'off' ? (
        <Note action={off}>{t(`${of.words}.link.off`)}</Note>
      ) : (
        <LinkCard of={of} link={data} change={may.change} beside={beside?.(data)} />
      )}
      {children(data)}
    </>
  )
}

function LinkCard({
  of,
  link,
  change,
  beside,
}: {
  of: Service
  link: Link
  change: boolean
  beside: ReactNode
}) {
  const t = useWords()
  const [ending, setEnding] = useState(false)
  const onError = (e: unknown) => void banner.error(failureText(t, e))
  const begin = useSend(of.connect, { onError, onSuccess: ({ url }) => void (location.href = url) })
  const fresh = useSend(of.renew, {
    refresh: of.stale,
    onError,
    onSuccess: () => void banner.success(t('allocation.link.renewed')),
  })
  const end = useSend(of.revoke, {
    refresh: of.stale,
    onError,
    onSuccess: () => void banner.success(t('allocation.link.disconnected')),
  })
  const connected = link.state === 'connected'
  const soon = link.daysLeft !== null && link.daysLeft <= warnDays
  const facts: [string, ReactNode][] = connected
    ? [
        ['since', <Num key="s">{formatMoment(new Date(link.connectedAt!))}</Num>],
        ...(link.connectedBy ? [['by', <bdi key="b">{link.connectedBy}</bdi>] as [string, ReactNode]] : []),
        ['until', <Num key="u">{formatDay(dayInJerusalem(new Date(link.endsAt!)))}</Num>],
      ]
    : []
  return (
    <Card
      title={t(`${of.words}.link.title`)}
      end={
        <StatusPill tone={connected && !soon ? 'done' : 'wait'}>
          {t(`allocation.link.${link.state}`)}
        </StatusPill>
      }
    >
      <div className="al-page">
        {soon && <Note tone="wait">{t('allocation.link.endsSoon', { days: link.daysLeft! })}</Note>}
        {link.awayUntil && (
          <Note>{t('allocation.link.away', { at: formatMoment(new Date(link.awayUntil)) })}</Note>
        )}
        {link.state === 'ended' && <Note tone="wait">{t(`errors.${of.words}.ended`)}</Note>}
        {!connected && <p>{t(`${of.words}.link.text`)}</p>}
        {facts.length > 0 && (
          <dl className="al-facts">
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{t(`allocation.link.${name}`)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        <div className="al-acts">
          {change && (!connected || soon) && (
            <Button kind="primary" icon={Plug} busy={begin.isPending} onPress={() => begin.mutate({})}>
              {t(link.state === 'none' ? 'allocation.link.connect' : 'allocation.link.again')}
            </Button>
          )}
          {change && connected && (
            <>
              <Button icon={RefreshCw} busy={fresh.isPending} onPress={() => fresh.mutate({})}>
                {t('allocation.link.renew')}
              </Button>
              <Button kind="quiet" icon={Unplug} onPress={() => setEnding(true)}>
                {t('allocation.link.revoke')}
              </Button>
            </>
          )}
          {beside}
        </div>
      </div>
      <Question
        isOpen={ending}
        danger
        onClose={() => setEnding(false)}
        title={t(`${of.words}.link.revokeTitle`)}
        verb={t('allocation.link.revoke')}
        onConfirm={() => end.mutateAsync({})}
      >
        {t(`${of.words}.link.revokeText`)}
      </Question>
    </Card>
  )
}
