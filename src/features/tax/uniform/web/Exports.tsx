import { Download, FileText, Files, Printer, Scale } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import { formatDay, formatNumber } from '#domain/format.ts'
import { callFile, failureText, keyOf, queryClient, useCall, useSend } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MomentCell, NumberCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { JobProgress } from '#features/base/jobs/web/index.tsx'
import {
  exportBytes,
  exportKinds,
  listExports,
  makeExport,
  runReport,
  type ExportKind,
  type MadeFile,
} from '../endpoints.ts'
import './uniform.css'

/**
 * The last whole tax year, which is what an accountant or the Authority asks for; of a business that began
 * after it, its days until now.
 */
const rangeFirst = (since: Day | null): { from: Day; to: Day } => {
  const today = dayInJerusalem(new Date())
  const year = Number(today.slice(0, 4)) - 1
  const to: Day = `${year}-12-31`
  return since && since > to && since <= today
    ? { from: `${year + 1}-01-01`, to: today }
    : { from: `${year}-01-01`, to }
}

/** Its opening and closing lines alone: what the law lays down for any range, and nothing of this one. */
const isBare = (file: MadeFile): boolean => records(file) === (file.kind === 'uniform' ? 2 : 0)

/** "Open format": the file of the law, its control reports, and the other ways out of the program. */
export function Screen() {
  const t = useWords()
  const [kind, setKind] = useState<ExportKind>('uniform')
  const made = useCall(listExports, {}, { staleTime: 0 })
  const [own, setRange] = useState<{ from: Day | null; to: Day | null }>()
  const [jobId, setJobId] = useState<string>()
  const make = useSend(makeExport, { onSuccess: ({ jobId: id }) => setJobId(id) })
  const range = own ?? rangeFirst(made.data?.since ?? null)
  const { from, to } = range
  const wrong = from && to && from > to ? t('errors.uniform.range') : undefined
  const asked = from && to ? `?from=${from}&to=${to}` : ''
  return (
    <Together waits={made.isLoading}>
      <PageHeader title={t('screens.openFormat')} />
      <div className="un-page">
        <p className="hint">{t('uniform.export.about')}</p>
        <Card>
          <form
            className="un-form"
            onSubmit={(event) => {
              event.preventDefault()
              if (from && to && !wrong) make.mutate({ kind, from, to })
            }}
          >
            <ChoiceField
              label={t('uniform.export.kind')}
              choices={exportKinds.map((value) => ({ value, label: t(`uniform.export.kinds.${value}`) }))}
              value={kind}
              onChange={(next) => next && setKind(next)}
            />
            <p className="hint">{t(`uniform.export.texts.${kind}`)}</p>
            {kind === 'uniform' && made.data?.isNamed === false && (
              <Note tone="wait">{t('uniform.export.unnamed')}</Note>
            )}
            <div className="un-days">
              <DayField
                label={t('uniform.reports.uniformBalances.filters.from')}
                value={from}
                onChange={(day) => setRange({ ...range, from: day })}
              />
              <DayField
                label={t('uniform.reports.uniformBalances.filters.to')}
                value={to}
                onChange={(day) => setRange({ ...range, to: day })}
                {...(wrong ? { error: wrong } : {})}
              />
            </div>
            {make.error !== null && <Note tone="late">{failureText(t, make.error)}</Note>}
            <div className="un-acts">
              <Button kind="primary" type="submit" busy={make.isPending || (!own && made.isPending)}>
                {t('uniform.export.make')}
              </Button>
            </div>
            {jobId && (
              <div role="status">
                <JobProgress
                  key={jobId}
                  id={jobId}
                  onEnd={() => void queryClient.invalidateQueries({ queryKey: keyOf(listExports) })}
                />
              </div>
            )}
          </form>
        </Card>
        <Card title={t('uniform.export.controls')} hint={t('uniform.export.controlsHint')}>
          <Rows label={t('uniform.export.controls')}>
            {(['uniformBalances', 'uniformDocuments'] as const).map((name) => (
              <Link key={name} href={`/invoice/report${name.toLowerCase()}${asked}`}>
                <span className="k-tile">
                  <Icon of={name === 'uniformBalances' ? Scale : Files} />
                </span>
                <span className="grow">
                  <span className="t">{t(`screens.${name}`)}</span>
                  <span className="hint text-12">{t(`uniform.reports.${name}.text`)}</span>
                </span>
              </Link>
            ))}
            <Link href={`/invoice/documents${from && to ? `?day.gte=${from}&day.lte=${to}` : ''}`}>
              <span className="k-tile">
                <Icon of={FileText} />
              </span>
              <span className="grow">
                <span className="t">{t('uniform.export.papers')}</span>
                <span className="hint text-12">{t('uniform.export.papersText')}</span>
              </span>
            </Link>
          </Rows>
        </Card>
        <Past made={made} />
      </div>
    </Together>
  )
}

const records = (file: MadeFile): number => Object.values(file.counts).reduce((sum, count) => sum + count, 0)

function Past({ made: { data, error, refetch } }: { made: ReturnType<typeof useCall<typeof listExports>> }) {
  const t = useWords()
  const fail = (e: unknown) => void banner.error(failureText(t, e))
  if (error) return <Failed error={error} onRetry={refetch} />
  return (
    <Card title={t('uniform.export.past')} flush>
      <DataTable<MadeFile>
        label={t('uniform.export.past')}
        loading={!data}
        skeletons={2}
        rows={data?.rows ?? []}
        rowKey={(file) => file.id}
        rowName={(file) =>
          `${t(`uniform.export.kinds.${file.kind}`)} ${formatDay(file.from)} – ${formatDay(file.to)}`
        }
        empty={
          <EmptyState icon={Download} title={t('uniform.export.none')}>
            {t('uniform.export.noneText')}
          </EmptyState>
        }
        columns={[
          {
            key: 'kind',
            title: t('uniform.export.columns.kind'),
            cell: (file) => t(`uniform.export.kinds.${file.kind}`),
            strong: true,
            phone: 'title',
          },
          {
            key: 'range',
            title: t('uniform.export.columns.range'),
            width: 'fit',
            phone: 'line',
            cell: (file) => (
              <Num>
                {formatDay(file.from)} – {formatDay(file.to)}
              </Num>
            ),
          },
          {
            key: 'records',
            title: t('uniform.export.columns.records'),
            align: 'amount',
            phone: 'amount',
            cell: (file) => <NumberCell value={records(file)} />,
          },
          {
            key: 'made',
            title: t('uniform.export.columns.made'),
            width: 'fit',
            cell: (file) => <MomentCell value={file.madeAt} />,
          },
          {
            key: 'by',
            title: t('uniform.export.columns.by'),
            cell: (file) => <TextCell value={file.by} quiet />,
          },
        ]}
        menu={(file) => [
          ...(file.there
            ? [
                {
                  key: 'download',
                  label: t('uniform.export.download'),
                  icon: Download,
                  onPress: () => void callFile(exportBytes, { id: file.id }).catch(fail),
                },
              ]
            : []),
          ...(file.kind === 'uniform'
            ? [
                {
                  key: 'report',
                  label: t('uniform.export.report'),
                  icon: Printer,
                  onPress: () => void callFile(runReport, { id: file.id }).catch(fail),
                },
              ]
            : []),
        ]}
      />
      <Latest file={data?.rows[0]} onFail={fail} />
    </Card>
  )
}

/** The newest file is what one came for: its two actions are visible. */
function Latest({ file, onFail }: { file: MadeFile | undefined; onFail: (e: unknown) => void }) {
  const t = useWords()
  if (!file?.there) return null
  return (
    <div className="k-card-body un-acts">
      {isBare(file) && (
        <Note tone="wait">
          {t('uniform.export.bare', { from: formatDay(file.from), to: formatDay(file.to) })}
        </Note>
      )}
      <span className="hint">
        {t('uniform.export.ended')}
        {file.path && (
          <>
            {' '}
            <bdi dir="ltr">{file.path}</bdi>
          </>
        )}
        {' · '}
        {t('uniform.export.columns.records')} <Num>{formatNumber(records(file))}</Num>
      </span>
      <Button
        kind="soft"
        icon={Download}
        onPress={() => void callFile(exportBytes, { id: file.id }).catch(onFail)}
      >
        {t('uniform.export.download')}
      </Button>
      {file.kind === 'uniform' && (
        <Button
          kind="quiet"
          icon={Printer}
          onPress={() => void callFile(runReport, { id: file.id }).catch(onFail)}
        >
          {t('uniform.export.report')}
        </Button>
      )}
    </div>
  )
}
