import {
  ArrowRightLeft,
  Check,
  CircleCheck,
  CircleX,
  FileCheck,
  FolderDown,
  Link2,
  Mail,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import { useState } from 'react'
import { daysLeft, isLeft } from '#domain/closing/closing.ts'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, callFile, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { monthBeside, MonthSteps } from '#kit/web/parts/MonthSteps.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { session } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useLast } from '#kit/web/hooks/useLast.ts'
import { useWords, wordIfAny } from '#kit/web/words/words.tsx'
import { switchTo } from '#features/base/companies/web/index.tsx'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import {
  clientMonth,
  cockpit,
  filesOfClients,
  sayState,
  signLine,
  unsignLine,
  wayIn,
  yearFolder,
  type bulkDeeds,
} from '../endpoints.ts'
import { BulkDialog } from './Bulk.tsx'
import { daysWords, lineWords, tones } from './shared.ts'
import './practice.css'

type Data = OutputOf<typeof clientMonth>
type Line = NonNullable<Data['facts']>['lines'][number]
const icons = { ok: CircleCheck, look: TriangleAlert, stop: CircleX } as const

const lastMonth = () => monthBeside(new Date().toISOString().slice(0, 7), -1)

/**
 * The month of one client before it is closed: a list that fills itself from the books, each line leading to
 * where it is mended.
 */
export function Screen() {
  const t = useWords()
  const { params, query, setQuery } = usePlace()
  const clientId = params.id ?? ''
  const month = /^\d{4}-\d{2}$/.test(query.month ?? '') ? query.month! : lastMonth()
  const { data: fresh, error, refetch } = useCall(clientMonth, { clientId, month })
  const data = useLast(fresh)
  const [deed, setDeed] = useState<(typeof bulkDeeds)[number]>()
  const [way, setWay] = useState<{ url: string; seconds: number }>()
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keyOf(clientMonth) }),
      queryClient.invalidateQueries({ queryKey: keyOf(cockpit) }),
    ])
  const tell = (e: unknown) => banner.error(failureText(t, e))
  const enter = (href: string) => {
    if (session()?.CompanyKey === clientId) go(href)
    else void switchTo(clientId, href).catch(tell)
  }
  const crumbs = [{ label: t('screens.mainCpa'), href: `/cpa/main?month=${month}` }]
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  if (!data)
    return (
      <>
        <PageHeader title={t('screens.cpaClient')} crumbs={crumbs} />
        <Skeleton lines={10} />
      </>
    )
  const { facts } = data
  const left = facts?.lines.filter(isLeft).length ?? 0
  return (
    <>
      <PageHeader
        title={data.name}
        crumbs={crumbs}
        status={
          data.closing && (
            <StatusPill tone={tones[data.closing]}>{t(`practice.closing.${data.closing}`)}</StatusPill>
          )
        }
        sub={
          <>
            {t(`session.kind.${data.kind}`)} · <Num>{data.taxId}</Num>
            {data.responsible && (
              <>
                {' · '}
                {t('practice.responsible')}: <bdi>{data.responsible.name}</bdi>
              </>
            )}
          </>
        }
        actions={
          <>
            <Button icon={ArrowRightLeft} onPress={() => enter('/invoice/main')}>
              {t('practice.enter')}
            </Button>
            {facts && !facts.isClosed ? (
              <Button kind="primary" icon={Check} onPress={() => setDeed('close')}>
                {t('practice.deed.close')}
              </Button>
            ) : facts?.vat && !facts.vat.isFiled ? (
              <Button kind="primary" icon={FileCheck} onPress={() => setDeed('fileAll')}>
                {t('practice.deed.fileAll')}
              </Button>
            ) : facts && !facts.isPaid ? (
              <Button kind="primary" icon={CircleCheck} onPress={() => setDeed('paid')}>
                {t('practice.deed.paid')}
              </Button>
            ) : null}
          </>
        }
        more={[
          { key: 'ask', label: t('practice.deed.ask'), icon: Mail, onPress: () => setDeed('ask') },
          {
            key: 'files',
            label: t('practice.deed.files'),
            icon: FolderDown,
            onPress: () => void callFile(filesOfClients, { month, clientIds: clientId }).catch(tell),
          },
          {
            key: 'year',
            label: t('practice.yearFolder', { year: month.slice(0, 4) }),
            icon: FolderDown,
            onPress: () =>
              void callFile(yearFolder, { clientId, year: Number(month.slice(0, 4)) }).catch(tell),
          },
          {
            key: 'way',
            label: t('practice.wayIn'),
            icon: Link2,
            onPress: () => void call(wayIn, { clientId }).then(setWay, tell),
          },
        ]}
      >
        <MonthSteps value={month} onChange={(next) => setQuery({ month: next })} />
      </PageHeader>
      <div className="of-two">
        <Card title={t('practice.list')}>
          <p className="hint" role="status">
            {facts?.isClosed
              ? t('practice.isClosed')
              : left
                ? t('practice.leftLines', { count: left })
                : t('practice.allThere')}
          </p>
          <ul className="of-lines">
            {facts?.lines.map((line) => (
              <LineRow key={line.line} of={line} data={data} month={month} onEnter={enter} onDone={refresh} />
            ))}
          </ul>
        </Card>
        <div className="of-side">
          <Card title={t('practice.sums')}>
            <dl className="of-sums">
              {facts?.vat && (
                <>
                  <dt>{t('practice.vat')}</dt>
                  <dd>
                    <MoneyCell value={facts.vat.toPayAgorot} />
                  </dd>
                  <dt>{t('practice.dueBy')}</dt>
                  <dd>
                    <Num>{formatDay(facts.vat.dueDay)}</Num>
                  </dd>
                </>
              )}
              {facts?.advance && (
                <>
                  <dt>{t('practice.advance')}</dt>
                  <dd>
                    <MoneyCell value={facts.advance.toPayAgorot} />
                  </dd>
                </>
              )}
              {facts?.withheld && (
                <>
                  <dt>{t('practice.withheld')}</dt>
                  <dd>
                    <MoneyCell value={facts.withheld.toPayAgorot} />
                  </dd>
                </>
              )}
              <dt>{t('practice.requests')}</dt>
              <dd>
                <Button size="s" kind="quiet" onPress={() => enter('/invoice/cpaonline')}>
                  {t('practice.requestsOpen', {
                    open: facts?.requestsOpen ?? 0,
                    answered: facts?.requestsAnswered ?? 0,
                  })}
                </Button>
              </dd>
            </dl>
          </Card>
          <StateCard key={`${month} ${data.madeAt}`} data={data} month={month} onDone={refresh} />
        </div>
      </div>
      {data.marks.length > 0 && (
        <Card title={t('practice.history')}>
          <ul className="of-marks">
            {data.marks.map((mark) => (
              <li key={mark.id}>
                <Num>{formatMoment(new Date(mark.at))}</Num> · <bdi>{mark.by}</bdi> ·{' '}
                {t(`practice.mark.${mark.deed}`)}:{' '}
                {mark.line.startsWith('own:')
                  ? mark.line.slice(4)
                  : (wordIfAny(t, `practice.lineName.${mark.line}`) ?? mark.line)}
                {mark.reason && (
                  <>
                    {' · '}
                    <bdi>{mark.reason}</bdi>
                  </>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {deed && (
        <BulkDialog
          deed={deed}
          month={month}
          ids={[clientId]}
          onClose={() => {
            setDeed(undefined)
            void refresh()
          }}
        />
      )}
      {way && <WayDialog way={way} onClose={() => setWay(undefined)} />}
    </>
  )
}

function LineRow({
  of: line,
  data,
  month,
  onEnter,
  onDone,
}: {
  of: Line
  data: Data
  month: string
  onEnter: (href: string) => void
  onDone: () => unknown
}) {
  const t = useWords()
  const today = useToday()
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const name = line.title ?? t(`practice.lineName.${line.line}`)
  const sign = async () => {
    setBusy(true)
    try {
      await call(signLine, { clientId: data.id, month, line: line.line })
      await onDone()
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <li data-is={line.isSigned && line.state !== 'stop' ? 'ok' : line.state}>
      <Icon of={icons[line.isSigned && line.state !== 'stop' ? 'ok' : line.state]} />
      <span className="grow">
        <span dir="auto">{line.state === 'ok' ? name : lineWords(t, line)}</span>
        {line.dueDay && !line.isSigned && (
          <span className="hint text-13">
            {t('practice.dueBy')} <Num>{formatDay(line.dueDay)}</Num> ·{' '}
            {daysWords(t, daysLeft(today, line.dueDay))}
          </span>
        )}
        {line.isSigned && line.signedAt && (
          <span className="hint text-13">
            {t('practice.signedBy')} <bdi>{line.signedBy}</bdi> ·{' '}
            <Num>{formatMoment(new Date(line.signedAt))}</Num>
          </span>
        )}
      </span>
      {line.open && line.state !== 'ok' && (
        <Button
          size="s"
          kind="quiet"
          label={t('practice.mendLine', { line: name })}
          onPress={() => onEnter(line.open!)}
        >
          {t('practice.mend')}
        </Button>
      )}
      {line.isSigned ? (
        <Button
          size="s"
          kind="quiet"
          icon={Undo2}
          label={t('practice.unsignLine', { line: name })}
          onPress={() => setAsks(true)}
        />
      ) : line.state !== 'stop' ? (
        <Button
          size="s"
          kind="quiet"
          icon={Check}
          busy={busy}
          label={t('practice.signLine', { line: name })}
          onPress={() => void sign()}
        >
          {t('practice.sign')}
        </Button>
      ) : null}
      {asks && (
        <UnsignDialog
          line={line.line}
          name={name}
          clientId={data.id}
          month={month}
          onClose={() => setAsks(false)}
          onDone={onDone}
        />
      )}
    </li>
  )
}

function UnsignDialog({
  line,
  name,
  clientId,
  month,
  onClose,
  onDone,
}: {
  line: string
  name: string
  clientId: string
  month: string
  onClose: () => void
  onDone: () => unknown
}) {
  const t = useWords()
  return (
    <ReasonDialog
      title={t('practice.unsignLine', { line: name })}
      verb={t('practice.unsign')}
      icon={Undo2}
      label={t('practice.reason')}
      onClose={onClose}
      onReason={async (reason) => {
        await call(unsignLine, { clientId, month, line, reason })
        await onDone()
        onClose()
      }}
    />
  )
}

/** What a person says of the month, against what follows from the books. */
function StateCard({ data, month, onDone }: { data: Data; month: string; onDone: () => unknown }) {
  const t = useWords()
  const [said, setSaid] = useState<'books' | 'waiting' | 'work' | 'review'>(data.facts?.said ?? 'books')
  const [note, setNote] = useState(data.facts?.note ?? '')
  const { busy, rest, error, run, place } = useAction(
    ['said', 'note'],
    async () => {
      await call(sayState, { clientId: data.id, month, said: said === 'books' ? null : said, note })
      await onDone()
    },
    { stays: true },
  )
  return (
    <Card title={t('practice.state')}>
      <form ref={place} onSubmit={run} noValidate className="of-form">
        {rest && <Note tone="late">{rest}</Note>}
        <ChoiceField
          label={t('practice.said')}
          value={said}
          onChange={(next) => next && setSaid(next)}
          choices={[
            { value: 'books', label: t('practice.byBooks') },
            ...(['waiting', 'work', 'review'] as const).map((value) => ({
              value,
              label: t(`practice.closing.${value}`),
            })),
          ]}
          {...error('said', said)}
        />
        <LongText
          label={t('practice.note')}
          hint={t('practice.noteHint')}
          optional
          value={note}
          onChange={setNote}
          max={500}
          {...error('note', note)}
        />
        <div>
          <Button type="submit" busy={busy}>
            {t('kit.forms.save')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function WayDialog({ way, onClose }: { way: { url: string; seconds: number }; onClose: () => void }) {
  const t = useWords()
  const copy = useCopy()
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('practice.wayIn')}
      actions={
        <Button kind="primary" icon={Link2} onPress={() => copy(way.url)}>
          {t('practice.copy')}
        </Button>
      }
    >
      <p>{t('practice.wayInText', { seconds: way.seconds })}</p>
      <p className="num of-url" dir="ltr">
        {way.url}
      </p>
    </Dialog>
  )
}
