import { FileBadge, Plus, TriangleAlert } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import { formatDay, formatPercent } from '#domain/format.ts'
import { call, failureText, fieldErrors, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { PercentField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Question, SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { FilesPanel } from '#features/base/files/web/index.tsx'
import { paperKinds } from '../company.ts'
import { addPaper, changePaper, dropPaper, listPapers, type CompanyPaper } from '../endpoints.ts'

/** Days before its end from which a certificate is called for. */
const soonDays = 45

const dayFrom = (days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(Date.now() + days * 86_400_000)

const titleOf = (t: Words, paper: CompanyPaper): string =>
  paper.name || t(`companies.paperKind.${paper.kind}`)

/** Certificates of the authorities: what customers ask for, until when it holds, and its scan. */
export function Papers() {
  const t = useWords()
  const may = useCan()
  const { data, error, isLoading } = useCall(listPapers, {})
  const [open, setOpen] = useState<CompanyPaper | 'new'>()
  const readOnly = !may('companies.change')
  if (isLoading) return <Skeleton lines={4} />
  if (error && !data)
    return (
      <EmptyState icon={TriangleAlert} title={t('companies.failed')}>
        {failureText(t, error)}
      </EmptyState>
    )
  const rows = data?.rows ?? []
  const add = !readOnly && (
    <Button icon={Plus} onPress={() => setOpen('new')}>
      {t('companyPapers.add')}
    </Button>
  )
  return (
    <div className="co-form">
      {rows.length === 0 ? (
        <EmptyState icon={FileBadge} title={t('companyPapers.empty.title')} actions={add}>
          {t('companyPapers.empty.text')}
        </EmptyState>
      ) : (
        <>
          <p className="sub">{t('companyPapers.empty.text')}</p>
          <Card label={t('companies.tab.papers')}>
            <Rows>
              {rows.map((paper) => (
                <button key={paper.id} type="button" className="co-row" onClick={() => setOpen(paper)}>
                  <span className="k-tile">
                    <Icon of={FileBadge} />
                  </span>
                  <span className="grow">
                    <span className="t cut" dir="auto">
                      {titleOf(t, paper)}
                      {paper.rateBp !== null && (
                        <>
                          {' · '}
                          <Num>{formatPercent(paper.rateBp)}</Num>
                        </>
                      )}
                    </span>
                    <span className="s">
                      <Num>{formatDay(paper.validFrom)}</Num> – <Num>{formatDay(paper.validTo)}</Num>
                      {paper.files > 0 && ` · ${t('companyPapers.files', { count: paper.files })}`}
                    </span>
                  </span>
                  <Validity paper={paper} />
                </button>
              ))}
            </Rows>
          </Card>
          <div>{add}</div>
        </>
      )}
      {open && (
        <PaperSheet
          key={open === 'new' ? 'new' : open.id}
          paper={open === 'new' ? undefined : open}
          readOnly={readOnly}
          onMade={setOpen}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

function Validity({ paper }: { paper: CompanyPaper }) {
  const t = useWords()
  const today = dayFrom(0)
  if (paper.validTo < today) return <StatusPill tone="late">{t('companyPapers.over')}</StatusPill>
  if (paper.validFrom > today) return <StatusPill tone="info">{t('companyPapers.ahead')}</StatusPill>
  if (paper.validTo < dayFrom(soonDays)) return <StatusPill tone="wait">{t('companyPapers.soon')}</StatusPill>
  return <StatusPill tone="done">{t('companyPapers.valid')}</StatusPill>
}

function PaperSheet({
  paper,
  readOnly,
  onMade,
  onClose,
}: {
  paper: CompanyPaper | undefined
  readOnly: boolean
  onMade: (paper: CompanyPaper) => void
  onClose: () => void
}) {
  const t = useWords()
  const form = useId()
  // A certificate of the authority holds for a tax year or less.
  const [values, setValues] = useState(() => ({
    kind: paper?.kind ?? ('books' as const),
    name: paper?.name ?? '',
    validFrom: paper?.validFrom ?? dayFrom(0),
    validTo: paper?.validTo ?? `${dayFrom(0).slice(0, 4)}-12-31`,
    rateBp: paper?.rateBp ?? null,
  }))
  const [typed, setTyped] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState(false)
  const put = (change: Partial<typeof values>) => {
    setValues({ ...values, ...change })
    setTyped(true)
    setFailure(undefined)
  }
  const { fields, rest } = failure
    ? fieldErrors(t, failure, Object.keys(values))
    : { fields: {} as Record<string, string>, rest: undefined }
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(listPapers) })
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      const given = { ...values, rateBp: values.kind === 'withholding' ? values.rateBp : null }
      const kept = paper ? await call(changePaper, { id: paper.id, ...given }) : await call(addPaper, given)
      await refresh()
      // A new one stays open: now its scan can be added.
      if (paper) onClose()
      else onMade(kept)
      banner.success(t('companyPapers.saved'))
    } catch (e) {
      setFailure(e)
    }
    setBusy(false)
  }
  return (
    <SideSheet
      isOpen
      dirty={typed}
      onClose={() => {
        void refresh()
        onClose()
      }}
      title={paper ? titleOf(t, paper) : t('companyPapers.add')}
      actions={
        !readOnly && (
          <>
            {paper && (
              <Button kind="quiet" onPress={() => setAsks(true)}>
                {t('kit.actions.remove')}
              </Button>
            )}
            <Button kind="primary" type="submit" form={form} busy={busy}>
              {t('companies.save')}
            </Button>
          </>
        )
      }
    >
      <form id={form} className="co-form" noValidate onSubmit={(event) => void save(event)}>
        <ChoiceField
          label={t('companyPapers.fields.kind')}
          value={values.kind}
          onChange={(kind) => kind && put({ kind })}
          choices={paperKinds.map((value) => ({ value, label: t(`companies.paperKind.${value}`) }))}
          error={fields.kind}
          disabled={readOnly}
        />
        <TextField
          label={t('companyPapers.fields.name')}
          optional
          value={values.name}
          onChange={(name) => put({ name })}
          max={120}
          error={fields.name}
          readOnly={readOnly}
        />
        {values.kind === 'withholding' && (
          <PercentField
            label={t('companyPapers.fields.rateBp')}
            hint={t('companyPapers.hints.rateBp')}
            value={values.rateBp}
            onChange={(rateBp) => put({ rateBp })}
            error={fields.rateBp}
            readOnly={readOnly}
          />
        )}
        <div className="co-pair">
          <DayField
            label={t('companyPapers.fields.validFrom')}
            value={values.validFrom}
            onChange={(validFrom) => put({ validFrom: validFrom ?? '' })}
            error={fields.validFrom}
            readOnly={readOnly}
          />
          <DayField
            label={t('companyPapers.fields.validTo')}
            value={values.validTo}
            onChange={(validTo) => put({ validTo: validTo ?? '' })}
            error={fields.validTo}
            readOnly={readOnly}
          />
        </div>
        {rest && (
          <p className="k-msg" data-tone="late" role="alert">
            {rest}
          </p>
        )}
      </form>
      {paper && (
        <section className="co-scan" aria-label={t('companyPapers.scan')}>
          <h3>{t('companyPapers.scan')}</h3>
          <FilesPanel entity="companyPapers" id={paper.id} mayChange={!readOnly} />
        </section>
      )}
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('companyPapers.dropAsk')}
        verb={t('kit.actions.remove')}
        danger
        onConfirm={async () => {
          try {
            await call(dropPaper, { id: paper!.id })
            await refresh()
            onClose()
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('companyPapers.dropText')}
      </Question>
    </SideSheet>
  )
}
