import { Download } from 'lucide-react'
import { useState } from 'react'
import { typeWord } from '#features/sales/documents/web/index.tsx'
import { type PaperLabel } from '#domain/documents/kinds.ts'
import { call, callFile, failureText } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { callsOf, refreshResource } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { documents } from '#features/sales/documents/documents.ts'
import type { Job } from '#features/base/jobs/endpoints.ts'
import { JobProgress } from '#features/base/jobs/web/index.tsx'
import { bundleFile, bundleMany, issueForCustomers, issueMany, sendMany, type Outcome } from '../endpoints.ts'
import type { Deed } from './open.tsx'

export interface DeedDialogProps {
  deed: Deed
  /** Documents; customers for 'each'. */
  ids: string[]
  onClose: () => void
}

/**
 * An action over many documents: its options, then its progress, then the outcome. Closing it leaves the work
 * running.
 */
export function DeedDialog({ deed, ids, onClose }: DeedDialogProps) {
  const t = useWords()
  const mayIssue = useCan()('documents.issue')
  const [as, setAs] = useState<'zip' | 'one'>('zip')
  const [variant, setVariant] = useState<'original' | 'copy'>('copy')
  const [attach, setAttach] = useState(true)
  const [template, setTemplate] = useState<Option | null>(null)
  const [issue, setIssue] = useState(false)
  const [jobId, setJobId] = useState<string>()
  const [ended, setEnded] = useState<Job>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const count = ids.length
  const begin = async () => {
    if (deed === 'each' && !template) return setProblem(t('documentJobs.needTemplate'))
    setBusy(true)
    setProblem(undefined)
    try {
      const started =
        deed === 'issue'
          ? await call(issueMany, { ids })
          : deed === 'send'
            ? await call(sendMany, { ids, attach })
            : deed === 'bundle'
              ? await call(bundleMany, { ids, as, variant })
              : await call(issueForCustomers, { templateId: template!.key, customerIds: ids, issue })
      setJobId(started.jobId)
    } catch (e) {
      setProblem(failureText(t, e))
    }
    setBusy(false)
  }
  const outcome = ended?.result as unknown as Outcome | undefined
  const take = async () => {
    try {
      await callFile(bundleFile, { id: outcome!.bundleId! }, { open: as === 'one' })
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const search = async (query: string, signal: AbortSignal): Promise<Option[]> => {
    const { rows } = await call(callsOf(documents).list, { size: 10, q: query || undefined }, { signal })
    return rows.map((row) => ({
      key: row.id,
      label: [
        typeWord(t, Number(row.type), row.label as PaperLabel | null),
        row.number ?? t('documents.status.draft'),
      ].join(' '),
      hint: [row.customerIdName, row.subject].filter(Boolean).join(' · ') || undefined,
    }))
  }
  const title =
    deed === 'each'
      ? t('documentJobs.each')
      : t(`documentJobs.${deed}Title` as 'documentJobs.issueTitle', { count })
  return (
    <Dialog
      isOpen
      form
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t(jobId ? 'kit.actions.close' : 'kit.actions.back')}
          </Button>
          {!jobId && (
            <Button kind="primary" busy={busy} onPress={() => void begin()}>
              {t(`documentJobs.${deed}`)}
            </Button>
          )}
          {outcome?.bundleId && (
            <Button kind="primary" icon={Download} onPress={() => void take()}>
              {t('documentJobs.download')}
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4">
        {problem && <Note tone="late">{problem}</Note>}
        {!jobId && deed === 'issue' && <p className="sub">{t('documentJobs.issueText')}</p>}
        {!jobId && deed === 'send' && (
          <>
            <p className="sub">{t('documentJobs.sendText')}</p>
            <FlagField label={t('documentJobs.attach')} value={attach} onChange={setAttach} />
          </>
        )}
        {!jobId && deed === 'bundle' && (
          <>
            <ChoiceField<'zip' | 'one'>
              label={t('documentJobs.bundleHow')}
              hint={t(as === 'zip' ? 'documentJobs.bundleZipHint' : 'documentJobs.bundleOneHint')}
              value={as}
              onChange={(next) => next && setAs(next)}
              choices={[
                { value: 'zip', label: t('documentJobs.bundleZip') },
                { value: 'one', label: t('documentJobs.bundleOne') },
              ]}
            />
            <ChoiceField<'original' | 'copy'>
              label={t('documentJobs.variant')}
              value={variant}
              onChange={(next) => next && setVariant(next)}
              choices={(['copy', 'original'] as const).map((value) => ({
                value,
                label: t(`documentJobs.${value}`),
              }))}
            />
          </>
        )}
        {!jobId && deed === 'each' && (
          <>
            <p className="sub">{t('documentJobs.eachText')}</p>
            <RefField
              label={t('documentJobs.template')}
              hint={t('documentJobs.templateHint')}
              value={template}
              onChange={setTemplate}
              search={search}
              autoFocus
            />
            {mayIssue && (
              <ChoiceField<'drafts' | 'issue'>
                label={t('documentJobs.bundleHow')}
                value={issue ? 'issue' : 'drafts'}
                onChange={(next) => setIssue(next === 'issue')}
                choices={[
                  { value: 'drafts', label: t('documentJobs.eachDrafts') },
                  { value: 'issue', label: t('documentJobs.eachIssue') },
                ]}
              />
            )}
          </>
        )}
        {jobId && (
          <JobProgress
            id={jobId}
            onEnd={(job) => {
              setEnded(job)
              void refreshResource(documents)
            }}
          />
        )}
        {outcome && (
          <>
            <p>{t('documentJobs.done', { count: outcome.made })}</p>
            {outcome.refused.length > 0 && (
              <Note tone="wait">
                {t('documentJobs.refused', { count: outcome.refused.length })}
                {outcome.refused.slice(0, 20).map((one, i) => (
                  <span key={i} className="block">
                    {one.name}: {t(`errors.${one.code}`, one.params)}
                  </span>
                ))}
              </Note>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}
