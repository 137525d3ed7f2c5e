import {
  CircleCheck,
  CircleX,
  FileDown,
  GitCompareArrows,
  History,
  Send,
  ShieldAlert,
  TriangleAlert,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { dayInJerusalem } from '#domain/day.ts'
import { formatDay, formatMoney, formatNumber, formatPeriod } from '#domain/format.ts'
import { inForceOn } from '#domain/law/figures.ts'
import { toWholeShekels } from '#domain/money.ts'
import { useCall, useSend } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { usePlace, writeQuery } from '#kit/web/routes/place.ts'
import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useLast } from '#kit/web/hooks/useLast.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import {
  fileReturn,
  listFilings,
  pcn874,
  vatAnswer,
  vatGate,
  vatPeriodFacts,
  type Finding,
} from '../endpoints.ts'
import { monthName, opensFigure } from '../period.ts'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { Exports } from './Exports.tsx'
import { PeriodStep } from './PeriodStep.tsx'
import { Settlement } from './Settlement.tsx'
import './vat.css'

type Facts = OutputOf<typeof vatPeriodFacts>
const month = /^\d{4}-\d{2}$/

/**
 * The detailed VAT report of a period: its figures, what prevents it, its entries, its file, and
 * reporting it.
 */
export function Screen() {
  const t = useWords()
  const fetchFile = useFile()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { query, setQuery } = usePlace()
  // A report of days leads here by its last day.
  const wanted = query.period ?? query.to?.slice(0, 7) ?? ''
  const asked: { period?: string } = month.test(wanted) ? { period: wanted } : {}
  const { data, error, isLoading, refetch } = useCall(vatPeriodFacts, asked)
  const known = useLast(data)
  const [filing, setFiling] = useState(false)
  const save = () => data && void fetchFile(pcn874, { period: monthName(data.period) })
  const stops = data?.faults.filter((f) => !f.isWarning) ?? []
  const blocked = stops.length > 0 || (data?.negative.length ?? 0) > 0
  const differing = data?.differences.length ?? 0

  return (
    <div className="vt-page">
      <Together waits={isLoading && !known}>
        <PageHeader
          title={t('screens.reportPcn')}
          {...(data?.filing
            ? {
                status: (
                  <StatusPill tone="done">
                    {t(data.filing.sentDay ? 'vat.state.sent' : 'vat.state.filed')}
                  </StatusPill>
                ),
              }
            : {})}
          sub={
            known && (
              <PeriodStep
                known={known.period}
                asked={asked.period}
                onChange={(period) => setQuery({ period })}
              />
            )
          }
          actions={
            data &&
            !hides && (
              <>
                <Button
                  icon={FileDown}
                  onPress={save}
                  {...(!data.filing && (blocked || differing > 0)
                    ? {
                        blocked: differing
                          ? t('vat.fileDiffers', { count: differing })
                          : t('vat.pcn.blocked'),
                      }
                    : {})}
                >
                  {t('vat.pcn.download')}
                </Button>
                {may('vat.file') && !data.filing && data.isOver && (
                  <Button kind="primary" icon={Send} onPress={() => setFiling(true)}>
                    {t('vat.file')}
                  </Button>
                )}
              </>
            )
          }
          more={[
            {
              key: 'changes',
              label: t('screens.vatChanges'),
              icon: GitCompareArrows,
              href: `/invoice/reportvatchanges${known ? writeQuery({ ...known.period }) : ''}`,
            },
            { key: 'log', label: t('screens.vatReportLog'), icon: History, href: '/invoice/vatreportlog' },
          ]}
        />
        {error && !data ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : !data || isLoading ? (
          <Skeleton lines={8} />
        ) : (
          <Body data={data} hides={hides} />
        )}
        {filing && data && <FileDialog data={data} stops={blocked} onClose={() => setFiling(false)} />}
      </Together>
    </div>
  )
}

function Body({ data, hides }: { data: Facts; hides: boolean }) {
  const t = useWords()
  const filed = (name: string) => data.figures.find((f) => f.name === name)?.filedAgorot
  const { from, to } = data.period
  const toPay = filed('toPay')
  return (
    <>
      {!hides && (
        <Figures label={t('vat.figures')}>
          <Figure
            label={t('vat.figure.outputVat')}
            amount={filed('outputVat') ?? 0}
            note={t('vat.count.sales', { count: data.counts.sales })}
            href={opensFigure('outputVat', data.period)}
          />
          <Figure
            label={t('vat.figure.inputVatEquipment')}
            amount={filed('inputVatEquipment') ?? 0}
            href={opensFigure('inputVatEquipment', data.period)}
          />
          <Figure
            label={t('vat.figure.inputVatOther')}
            amount={filed('inputVatOther') ?? 0}
            note={t('vat.count.inputs', { count: data.counts.inputs })}
            href={opensFigure('inputVatOther', data.period)}
          />
          <Figure
            tone="result"
            label={t((toPay ?? 0) < 0 ? 'vat.figure.refund' : 'vat.figure.toPay')}
            amount={Math.abs(toPay ?? 0)}
            note={t(`vat.basis.${data.basis}`)}
            href={opensFigure(null, data.period)}
          />
        </Figures>
      )}
      {data.filing ? (
        <Note tone="done">
          {t('vat.filedBy', {
            name: data.filing.madeBy ?? '',
            day: formatDay(dayInJerusalem(new Date(data.filing.madeAt))),
          })}
          {data.filing.sentDay && (
            <> {t('vat.sentOn', { day: formatDay(data.filing.sentDay), number: data.filing.confirmation })}</>
          )}
        </Note>
      ) : (
        !data.isOver && <Note>{t('vat.running', { day: formatDay(to) })}</Note>
      )}
      {data.brought?.isWhole && !data.filing && (
        <Note>{t('vat.brought.reported', { day: formatDay(data.brought.until) })}</Note>
      )}
      {data.unfiledBefore && (
        <Note
          tone="wait"
          action={
            <Button kind="quiet" size="s" href={`/invoice/reportpcn?period=${monthName(data.unfiledBefore)}`}>
              {t('vat.open')}
            </Button>
          }
        >
          {t('vat.unfiledBefore', { period: formatPeriod(data.unfiledBefore) })}
        </Note>
      )}
      {!hides && <Settlement data={data} />}
      <Checks data={data} hides={hides} />
      <Exports data={data} />
      <section aria-labelledby="vt-entries" className="vt-page">
        <h2 id="vt-entries">{t('vat.pcn.entries')}</h2>
        <ReportScreen name="pcn" bare main said={['bothWays']} fixed={{ from, to }} />
      </section>
    </>
  )
}

const tones = { late: CircleX, wait: TriangleAlert, done: CircleCheck } as const

function Line({
  tone,
  title,
  code,
  children,
}: {
  tone: keyof typeof tones
  title: React.ReactNode
  code?: string
  children?: React.ReactNode
}) {
  const t = useWords()
  return (
    <li>
      <span className="vt-mark" data-tone={tone}>
        <Icon of={tones[tone]} label={t(`vat.tone.${tone}`)} />
      </span>
      <div>
        <b>{title}</b>
        {children}
      </div>
      {code && (
        <span className="code">
          {t('vat.code')} <Num>{code}</Num>
        </span>
      )}
    </li>
  )
}

function Papers({ papers }: { papers: Finding['papers'] }) {
  const t = useWords()
  return (
    <p className="vt-papers">
      {papers.map(({ number, name, open }, i) => {
        const words = (
          <>
            {name || t('vat.paper')} {number && <Num>{number}</Num>}
          </>
        )
        return open ? (
          <Link key={i} href={open} {...(papers.length === 1 ? { className: 'aim' } : {})}>
            {words}
          </Link>
        ) : (
          <span key={i}>{words}</span>
        )
      })}
    </p>
  )
}

/** What prevents reporting, each leading to its paper; and what is only worth a look. */
function Checks({ data, hides }: { data: Facts; hides: boolean }) {
  const t = useWords()
  const gate = useCall(vatGate, { period: monthName(data.period) })
  const late = data.faults.filter((f) => !f.isWarning)
  const wait = data.faults.filter((f) => f.isWarning)
  const shekels = (agorot: number | undefined) =>
    hides || agorot === undefined ? '' : `₪${formatMoney(agorot)}`
  const isClean = !data.differences.length && !late.length && !data.negative.length
  return (
    <Card
      title={t('vat.checks')}
      {...(isClean && data.filing ? {} : { hint: t(isClean ? 'vat.clean' : 'vat.notClean') })}
    >
      <ul className="vt-list">
        {data.missingEntries > 0 && (
          <Line tone="late" title={t('vat.missingEntries', { count: data.missingEntries })}>
            <p>
              <Link className="link" href="/invoice/booksproof">
                {t('vat.missingOpen')}
              </Link>
            </p>
          </Line>
        )}
        {data.differences.map((d, i) => (
          <Line key={`d${i}`} tone="late" title={t(`vat.difference.${d.in}`)}>
            <p>{t('vat.differenceText', { paper: shekels(d.paperAgorot), books: shekels(d.booksAgorot) })}</p>
            <Papers papers={[{ number: d.number, name: d.name, open: d.open }]} />
          </Line>
        ))}
        {data.brought?.differences.map((d) => (
          <Line key={`b${d.in}`} tone="wait" title={t('vat.brought.differs')}>
            <p>{t('vat.differenceText', { paper: shekels(d.paperAgorot), books: shekels(d.booksAgorot) })}</p>
          </Line>
        ))}
        {data.differences.length === 0 && <Line tone="done" title={t('vat.bothWays')} />}
        {data.negative.map((name) => (
          <Line
            key={name}
            tone="late"
            code="129"
            title={t('vat.negative', { figure: t(`vat.figure.${name}`) })}
          >
            <p>{t('vat.negativeText')}</p>
          </Line>
        ))}
        {late.map((f) => (
          <Line key={f.code} tone="late" code={f.code} title={t(`vat.fault.${f.code}`)}>
            <Papers papers={f.papers} />
          </Line>
        ))}
        {late.length === 0 && data.negative.length === 0 && <Line tone="done" title={t('vat.pcn.sound')} />}
        {wait.map((f) => (
          <Line key={f.code} tone="wait" code={f.code} title={t(`vat.fault.${f.code}`)}>
            <Papers papers={f.papers} />
          </Line>
        ))}
        {data.unnamed.length > 0 && (
          <Line
            tone="wait"
            title={t('vat.unnamed', {
              sum: `₪${formatNumber(toWholeShekels(inForceOn('namedSale', data.period.to) ?? 0))}`,
            })}
          >
            <Papers papers={data.unnamed} />
          </Line>
        )}
        {gate.data && gate.data.riskCount > 0 && (
          <Line
            tone="wait"
            title={t('vat.gate.risk', { count: gate.data.riskCount, sum: shekels(gate.data.atRiskAgorot) })}
          >
            <p className="vt-papers">
              <Link className="aim" href={`/invoice/vatgate?period=${monthName(data.period)}`}>
                <Icon of={ShieldAlert} size="s" /> {t('screens.vatGate')}
              </Link>
            </p>
          </Line>
        )}
      </ul>
    </Card>
  )
}

/** Reporting cannot be done by halves: what will be kept and locked is said before. */
export function FileDialog({
  data,
  stops,
  usual = 'detailed',
  onClose,
}: {
  data: Facts
  stops: boolean
  usual?: 'detailed' | 'return'
  onClose: () => void
}) {
  const t = useWords()
  const [kind, setKind] = useState<'detailed' | 'return'>(stops ? 'return' : usual)
  const [settles, setSettles] = useState(true)
  const send = useSend(fileReturn, {
    refresh: [vatPeriodFacts, vatAnswer, listFilings, vatGate],
    onSuccess: () => {
      onClose()
      banner.success(t('vat.filedNow'))
    },
  })
  const figure = data.figures.find((f) => f.name === 'toPay')
  const toPay = (kind === 'return' ? figure?.returnAgorot : figure?.filedAgorot) ?? 0
  const maySettle = data.owed !== null && !data.brought?.isWhole
  return (
    <FormDialog
      title={t('vat.fileTitle', { period: formatPeriod(data.period) })}
      verb={t('vat.file')}
      icon={Send}
      isDisabled={data.differences.length > 0}
      names={[]}
      onClose={onClose}
      onSubmit={() =>
        send.mutateAsync({ period: monthName(data.period), kind, settle: settles && maySettle })
      }
    >
      {() => (
        <>
          {data.differences.length > 0 && (
            <Note tone="late">{t('vat.fileDiffers', { count: data.differences.length })}</Note>
          )}
          <p>
            {t(toPay < 0 ? 'vat.fileRefund' : 'vat.filePay', { sum: `₪${formatMoney(Math.abs(toPay))}` })}
          </p>
          <p>{t('vat.fileText')}</p>
          <ChoiceField
            label={t('vat.kind')}
            value={kind}
            onChange={(one) => one && setKind(one)}
            choices={[
              ...(stops ? [] : [{ value: 'detailed' as const, label: t('vat.kinds.detailed') }]),
              { value: 'return' as const, label: t('vat.kinds.return') },
            ]}
            {...(stops ? { hint: t('vat.onlyReturn') } : {})}
          />
          {maySettle && (
            <FlagField label={t('vat.settle.withFiling')} value={settles} onChange={setSettles} />
          )}
        </>
      )}
    </FormDialog>
  )
}
