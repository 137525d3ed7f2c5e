import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, keyOf, queryClient, useCall, useSend, putAnswer } from '#kit/web/calls/call.ts'
import { ChoiceCell, MomentCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FileSend } from '#kit/web/parts/FileSend.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { JobProgress } from '#features/base/jobs/web/index.tsx'
import {
  checkUniformImport,
  dropUniformImport,
  getUniformImport,
  listUniformImports,
  maxUniformBytes,
  runUniformImport,
  uploadUniform,
  type Choices,
  type UniformImport,
  type WholeImport,
} from '../endpoints.ts'
import { ParityReport } from './Parity.tsx'
import './uniform.css'

const path = '/invoice/tools/uniform'
const tones = { checking: 'wait', checked: 'info', running: 'wait', done: 'done', failed: 'late' } as const

/** From another program into empty books: the file, what it would become, and only then the books. */
export function Screen() {
  const t = useWords()
  const { query } = usePlace()
  return (
    <>
      <PageHeader
        title={t('screens.uniformImport')}
        crumbs={[{ label: t('screens.tools'), href: '/invoice/tools' }]}
      />
      <div className="un-page">{query.id ? <One key={query.id} id={query.id} /> : <Begin />}</div>
    </>
  )
}

function Begin() {
  const t = useWords()
  const { data, error, refetch } = useCall(listUniformImports, {}, { staleTime: 0 })
  const send = async (file: File) => {
    const one = await call(uploadUniform, { name: file.name, bytes: file })
    putAnswer(getUniformImport, { id: one.id }, one)
    go(`${path}?id=${one.id}`)
  }
  if (error) return <Failed error={error} onRetry={refetch} />
  return (
    <Together waits={!data}>
      <p className="hint">{t('uniform.import.about')}</p>
      {data && !data.empty && <Note tone="wait">{t('uniform.import.notEmpty')}</Note>}
      <FileSend
        note={t('uniform.import.sending')}
        send={send}
        accept=".zip,.txt,.dat,application/zip,text/plain"
        limit={maxUniformBytes}
        label={t('uniform.import.choose')}
      >
        {t('uniform.import.drop')}
      </FileSend>
      {data && data.rows.length > 0 && (
        <Card title={t('uniform.import.past')} flush>
          <DataTable<UniformImport>
            label={t('uniform.import.past')}
            rows={data.rows}
            rowKey={(one) => one.id}
            rowHref={(one) => `${path}?id=${one.id}`}
            onOpen={(one) => go(`${path}?id=${one.id}`)}
            columns={[
              {
                key: 'name',
                title: t('uniform.import.columns.name'),
                strong: true,
                phone: 'title',
                cell: (one) => <bdi>{one.name}</bdi>,
              },
              {
                key: 'state',
                title: t('uniform.import.columns.role'),
                width: 'fit',
                phone: 'state',
                cell: (one) => (
                  <ChoiceCell label={t(`uniform.import.state.${one.state}`)} tone={tones[one.state]} />
                ),
              },
              {
                key: 'made',
                title: t('uniform.export.columns.made'),
                width: 'fit',
                phone: 'line',
                cell: (one) => <MomentCell value={one.createdAt} />,
              },
              {
                key: 'by',
                title: t('uniform.export.columns.by'),
                cell: (one) => <TextCell value={one.by} quiet />,
              },
            ]}
          />
        </Card>
      )}
    </Together>
  )
}

function One({ id }: { id: string }) {
  const t = useWords()
  const { data, error, refetch } = useCall(getUniformImport, { id }, { staleTime: 0 })
  const take = (next: WholeImport) => putAnswer(getUniformImport, { id }, next)
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  if (!data) return <Skeleton />
  if (data.state === 'checking' || data.state === 'running')
    return (
      <div className="un-page" role="status">
        {data.jobId && (
          <JobProgress
            key={data.jobId}
            id={data.jobId}
            onEnd={() => {
              void refetch()
              void queryClient.invalidateQueries({ queryKey: keyOf(listUniformImports) })
            }}
          />
        )}
        <p className="hint">{t('uniform.import.mayLeave')}</p>
      </div>
    )
  return (
    <>
      {data.error && <Note tone="late">{t(`errors.${data.error.code}`, data.error.params)}</Note>}
      {data.state === 'done' ? (
        <EmptyState
          icon={Inbox}
          title={t('uniform.import.done')}
          actions={
            <>
              <Button kind="primary" href="/invoice/InvoiceCustomers">
                {t('uniform.import.toCustomers')}
              </Button>
              <Button kind="plain" href="/invoice/maazanbohan">
                {t('uniform.import.toTrial')}
              </Button>
            </>
          }
        >
          {t('uniform.import.doneText')}
        </EmptyState>
      ) : (
        <Deeds one={data} onChange={take} />
      )}
      {data.report && (
        <ParityReport
          key={data.jobId}
          one={data}
          report={data.report}
          onCheck={(choices) => void again(choices)}
        />
      )}
    </>
  )
  async function again(choices: Choices) {
    take(await call(checkUniformImport, { id, choices }))
  }
}

/** What may be done with a file that was checked. */
function Deeds({ one, onChange }: { one: WholeImport; onChange: (next: WholeImport) => void }) {
  const t = useWords()
  const [confirmed, setConfirmed] = useState(false)
  const run = useSend(runUniformImport, { onSuccess: onChange })
  const drop = useSend(dropUniformImport, { refresh: [listUniformImports], onSuccess: () => go(path) })
  const refused = run.error ?? drop.error
  return (
    <Card>
      <div className="un-form">
        {!one.empty && <Note tone="wait">{t('uniform.import.notEmpty')}</Note>}
        {one.empty && one.otherDealer && (
          <>
            <Note tone="wait">
              {t('uniform.import.otherDealer', { number: one.report?.program.dealerNumber ?? '' })}
            </Note>
            <FlagField label={t('uniform.import.otherAnyway')} value={confirmed} onChange={setConfirmed} />
          </>
        )}
        {refused !== null && <Note tone="late">{failureText(t, refused)}</Note>}
        <div className="un-acts">
          {one.empty && one.state === 'checked' && (
            <Button
              kind="primary"
              busy={run.isPending}
              {...(one.otherDealer && !confirmed
                ? {
                    blocked: t('uniform.import.otherDealer', {
                      number: one.report?.program.dealerNumber ?? '',
                    }),
                  }
                : {})}
              onPress={() => run.mutate({ id: one.id, otherDealer: confirmed })}
            >
              {t('uniform.import.run')}
            </Button>
          )}
          <Button kind="plain" busy={drop.isPending} onPress={() => drop.mutate({ id: one.id })}>
            {t('uniform.import.dropFile')}
          </Button>
          <span className="hint">{t('uniform.import.once')}</span>
        </div>
      </div>
    </Card>
  )
}
