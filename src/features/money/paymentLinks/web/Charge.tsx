import { Ban, FilePlus2, RefreshCw, Send, ShieldAlert, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import type { Day } from '#domain/day.ts'
import { formatDay, formatMoment } from '#domain/format.ts'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { pagePath } from '#features/sales/documents/types/index.ts'
import { brandWord } from '#features/base/companies/means.ts'
import { documentName } from '#features/sales/documents/web/index.tsx'
import {
  checkCharge,
  disputeCharge,
  endDispute,
  getCharge,
  paperAgain,
  refundCharge,
  sayRefund,
  sayUnpaid,
  type ChargeAnswer,
} from '../endpoints.ts'
import { refreshLinks } from './actions.ts'
import { ChargeState } from './state.tsx'
import './paymentLinks.css'

/**
 * One card payment: who paid what with which card, its papers, what went back, and everything that happened.
 */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { params } = usePlace()
  const id = params.id ?? ''
  const { data: charge, error } = useCall(
    getCharge,
    { id },
    {
      refetchInterval: (query) =>
        query.state.data?.refunds.some((one: { state: string }) => one.state === 'asked') ? 3000 : false,
    },
  )
  const [refunding, setRefunding] = useState(false)
  const [denying, setDenying] = useState(false)
  const onError = (e: unknown) => void banner.error(failureText(t, e))
  const done = () => void refreshLinks()
  const check = useSend(checkCharge, { onError, onSuccess: done })
  const paper = useSend(paperAgain, { onError, onSuccess: done })
  const unpaid = useSend(sayUnpaid, { onError, onSuccess: done })
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!charge) return <Skeleton lines={6} />
  const change = may('paymentLinks.change')
  const isOpen = ['begun', 'declined', 'unknown', 'needsPerson'].includes(charge.state)
  return (
    <div className="pl-stack">
      <PageHeader
        crumbs={[{ label: t('screens.historyPayments'), href: '/invoice/historypayments' }]}
        title={charge.payer || t('screens.cardCharge')}
        status={<ChargeState state={charge.state} />}
        sub={hides ? undefined : <Money amount={charge.sumAgorot} />}
        actions={
          <>
            {isOpen && (
              <Button icon={RefreshCw} busy={check.isPending} onPress={() => check.mutate({ id })}>
                {t('cardCharges.check')}
              </Button>
            )}
            {change && !hides && charge.state === 'needsPerson' && (
              <Button icon={Ban} busy={unpaid.isPending} onPress={() => unpaid.mutate({ id })}>
                {t('cardCharges.unpaid')}
              </Button>
            )}
            {change && charge.paperFailure && !charge.paper && (
              <Button
                kind="primary"
                icon={FilePlus2}
                busy={paper.isPending}
                onPress={() => paper.mutate({ id })}
              >
                {t('cardCharges.paperAgain')}
              </Button>
            )}
            {charge.paper && !hides && may('documents.send') && (
              <Button icon={Send} href={`${pagePath(charge.paper.type, charge.paper.id)}?send=1`}>
                {t('cardCharges.resend')}
              </Button>
            )}
            {may('charges.refund') &&
              !hides &&
              charge.state === 'paid' &&
              charge.paper &&
              charge.givenBackAgorot === 0 && (
                <Button icon={ShieldAlert} m onPress={() => setDenying(true)}>
                  {t('cardCharges.dispute')}
                </Button>
              )}
            {may('charges.refund') && !hides && charge.leftAgorot > 0 && (
              <Button icon={Undo2} m onPress={() => setRefunding(true)}>
                {t('cardCharges.refund')}
              </Button>
            )}
          </>
        }
      />
      {charge.acquirer === 'test' && <Note>{t('cardCharges.test')}</Note>}
      {charge.state === 'needsPerson' && <Note tone="late">{t('cardCharges.inDoubt')}</Note>}
      {charge.paperFailure && !charge.paper && (
        <Note tone="wait">{t('cardCharges.noPaper', { reason: t(`errors.${charge.paperFailure}`) })}</Note>
      )}
      {charge.dispute && <Dispute charge={charge} hides={hides} />}
      <Facts charge={charge} hides={hides} />
      {charge.refunds.length > 0 && <Refunds charge={charge} hides={hides} />}
      <Card title={t('cardCharges.trace')}>
        <ol className="pl-trace">
          {charge.events.map((event, i) => (
            <li key={i}>
              <time dateTime={event.at}>
                <Num>{formatMoment(new Date(event.at))}</Num>
              </time>
              <span>
                {t(`cardCharges.event.${event.kind}`)}
                {typeof event.details.sumAgorot === 'number' && (
                  <>
                    {' '}
                    <Money amount={event.details.sumAgorot} />
                  </>
                )}
                {typeof event.details.by === 'string' && event.details.by && (
                  <>
                    {' · '}
                    <bdi>{event.details.by}</bdi>
                  </>
                )}
              </span>
            </li>
          ))}
        </ol>
      </Card>
      {denying && (
        <DisputeDialog
          id={id}
          leftAgorot={charge.leftAgorot}
          wholeOnly={charge.wholeOnly}
          onClose={() => setDenying(false)}
        />
      )}
      {refunding && <RefundDialog charge={charge} onClose={() => setRefunding(false)} />}
    </div>
  )
}

type Paper = ChargeAnswer['paper']

function PaperLink({ of }: { of: NonNullable<Paper> }) {
  const t = useWords()
  return (
    <Link className="link aim" href={pagePath(of.type, of.id)}>
      {documentName(t, of.type, of.number)}
    </Link>
  )
}

function Facts({ charge: c, hides }: { charge: ChargeAnswer; hides: boolean }) {
  const t = useWords()
  const facts: [string, ReactNode][] = [
    ['createdAt', <Num key="c">{formatMoment(new Date(c.createdAt))}</Num>],
    ...(c.link ? [['link', <bdi key="l">{c.link.description}</bdi>] as [string, ReactNode]] : []),
    ...(c.paysDocument
      ? [['paysDocument', <PaperLink key="d" of={c.paysDocument} />] as [string, ReactNode]]
      : []),
    ...(c.cardLast4
      ? [
          [
            'cardLast4',
            <span key="4">
              {brandWord(c.cardBrand, t)} <Num>{c.cardLast4}</Num>
            </span>,
          ] as [string, ReactNode],
        ]
      : []),
    ...(c.instalments && c.instalments > 1
      ? [['instalments', <Num key="i">{c.instalments}</Num>] as [string, ReactNode]]
      : []),
    ...(c.approval ? [['approval', <Num key="a">{c.approval}</Num>] as [string, ReactNode]] : []),
    ['reference', <Num key="r">{c.reference}</Num>],
    ...(c.paper ? [['paperNumber', <PaperLink key="p" of={c.paper} />] as [string, ReactNode]] : []),
    ...(c.givenBackAgorot > 0 && !hides
      ? [['givenBackAgorot', <Money key="g" amount={c.givenBackAgorot} />] as [string, ReactNode]]
      : []),
    ...(c.declineCode ? [['declineCode', <Decline key="x" of={c} />] as [string, ReactNode]] : []),
  ]
  return (
    <Card title={t('cardCharges.one')}>
      <dl className="pl-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`cardCharges.fields.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

/** Why the card was declined, and what the acquirer calls it. */
function Decline({ of: { declineCode: code, declineClass } }: { of: ChargeAnswer }) {
  const t = useWords()
  return (
    <>
      {t(`cardCharges.decline.${declineClass || 'hard'}`)} <Num>{code}</Num>
    </>
  )
}

const refundTones = {
  asked: 'info',
  unknown: 'wait',
  needsPerson: 'late',
  done: 'done',
  refused: 'late',
} as const

function Refunds({ charge, hides }: { charge: ChargeAnswer; hides: boolean }) {
  const t = useWords()
  const may = useCan()
  const said = useSend(sayRefund, {
    onError: (e) => void banner.error(failureText(t, e)),
    onSuccess: () => void refreshLinks(),
  })
  const say = (refundId: string, isDone: boolean) => said.mutate({ id: charge.id, refundId, isDone })
  return (
    <Card title={t('cardCharges.refunds')}>
      <div className="pl-stack">
        {charge.refunds.map((one) => (
          <div key={one.id} className="pl-line">
            <Num>{formatMoment(new Date(one.at))}</Num>
            {!hides && <Money amount={one.amountAgorot} />}
            <StatusPill tone={refundTones[one.state]}>{t(`cardCharges.refundState.${one.state}`)}</StatusPill>
            {one.automatic ? (
              <span className="sub">{t('cardCharges.automatic')}</span>
            ) : (
              <bdi className="sub">{one.reason}</bdi>
            )}
            {one.paper && <PaperLink of={one.paper} />}
            {(one.state === 'unknown' || one.state === 'needsPerson') && !hides && may('charges.refund') && (
              <>
                <span className="sub">{t('cardCharges.refundInDoubt')}</span>
                <Button busy={said.isPending} onPress={() => say(one.id, true)}>
                  {t('cardCharges.refundWasDone')}
                </Button>
                <Button busy={said.isPending} onPress={() => say(one.id, false)}>
                  {t('cardCharges.refundWasNot')}
                </Button>
              </>
            )}
            {one.paperFailure && (
              <Note tone="wait">
                {t('cardCharges.refundNoPaper', { reason: t(`errors.${one.paperFailure}`) })}
              </Note>
            )}
          </div>
        ))}
      </div>
    </Card>
  )
}

function RefundDialog({ charge, onClose }: { charge: ChargeAnswer; onClose: () => void }) {
  const t = useWords()
  const [agorot, setAgorot] = useState<number | null>(charge.leftAgorot)
  const [reason, setReason] = useState('')
  const send = useSend(refundCharge, {
    onSuccess: () => {
      void refreshLinks()
      banner.success(t('cardCharges.refundAsked'))
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('cardCharges.refund')}
      verb={t('cardCharges.refundDo')}
      danger
      names={['amountAgorot', 'reason']}
      onClose={onClose}
      onSubmit={() => send.mutateAsync({ id: charge.id, amountAgorot: agorot ?? 0, reason })}
    >
      {(refusal) => (
        <>
          <p className="sub">{t(charge.wholeOnly ? 'cardCharges.refundWhole' : 'cardCharges.refundText')}</p>
          <MoneyField
            label={t('cardCharges.refundSum')}
            name="amountAgorot"
            value={agorot}
            onChange={setAgorot}
            readOnly={charge.wholeOnly}
            {...refusal('amountAgorot', agorot)}
          />
          <TextField
            label={t('cardCharges.refundReason')}
            name="reason"
            max={200}
            value={reason}
            onChange={setReason}
            {...refusal('reason', reason)}
          />
        </>
      )}
    </FormDialog>
  )
}

/** The payer denied the payment: since when, why, and how it ended. */
function Dispute({ charge, hides }: { charge: ChargeAnswer; hides: boolean }) {
  const t = useWords()
  const may = useCan()
  const { state, toldOn, answerBy, reason } = charge.dispute!
  const ended = useSend(endDispute, {
    onError: (e) => void banner.error(failureText(t, e)),
    onSuccess: () => void refreshLinks(),
  })
  return (
    <Card title={t('cardCharges.disputeTitle')}>
      <div className="pl-stack">
        <p>
          {t(`cardCharges.disputeState.${state}`)} ·{' '}
          {!hides && <Money amount={charge.dispute!.amountAgorot} />} <Num>{formatDay(toldOn)}</Num> ·{' '}
          <bdi>{reason}</bdi>
        </p>
        {state === 'open' && answerBy && (
          <p className="sub">
            {t('cardCharges.disputeAnswerBy')} <Num>{formatDay(answerBy)}</Num>
          </p>
        )}
        {state === 'open' && !hides && may('charges.refund') && (
          <div className="pl-line">
            <Button busy={ended.isPending} onPress={() => ended.mutate({ id: charge.id, isWon: true })}>
              {t('cardCharges.disputeWon')}
            </Button>
            <Button busy={ended.isPending} onPress={() => ended.mutate({ id: charge.id, isWon: false })}>
              {t('cardCharges.disputeLost')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

function DisputeDialog({
  id,
  leftAgorot,
  wholeOnly,
  onClose,
}: {
  id: string
  leftAgorot: number
  wholeOnly: boolean
  onClose: () => void
}) {
  const t = useWords()
  const today = useToday()
  const [reason, setReason] = useState('')
  const [agorot, setAgorot] = useState<number | null>(leftAgorot)
  const [toldOn, setToldOn] = useState<Day | null>(today)
  const [answerBy, setAnswerBy] = useState<Day | null>(null)
  const send = useSend(disputeCharge, {
    onSuccess: () => {
      void refreshLinks()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('cardCharges.disputeTitle')}
      verb={t('cardCharges.disputeDo')}
      danger
      names={['amountAgorot', 'toldOn', 'answerBy', 'reason']}
      onClose={onClose}
      onSubmit={() =>
        send.mutateAsync({ id, reason, amountAgorot: agorot ?? 0, toldOn: toldOn ?? undefined, answerBy })
      }
    >
      {(refusal) => (
        <>
          <p className="sub">{t('cardCharges.disputeText')}</p>
          {!wholeOnly && (
            <MoneyField
              label={t('cardCharges.disputeAmount')}
              value={agorot}
              onChange={setAgorot}
              {...refusal('amountAgorot', agorot)}
            />
          )}
          <DayField
            label={t('cardCharges.disputeToldOn')}
            value={toldOn}
            onChange={setToldOn}
            {...refusal('toldOn', toldOn)}
          />
          <DayField
            label={t('cardCharges.disputeAnswerBy')}
            optional
            value={answerBy}
            onChange={setAnswerBy}
            {...refusal('answerBy', answerBy)}
          />
          <TextField
            label={t('cardCharges.disputeReason')}
            max={300}
            value={reason}
            onChange={setReason}
            {...refusal('reason', reason)}
          />
        </>
      )}
    </FormDialog>
  )
}
