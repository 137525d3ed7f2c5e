import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Lock, TriangleAlert } from 'lucide-react'
import { useEffect, useState, type FormEvent } from 'react'
import { chargesVat, documentTypeById } from '#domain/documents/kinds.ts'
import { call, failureText, fieldErrors, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { ColorField } from '#kit/web/fields/ColorField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { LanguageField } from '#kit/web/fields/SmallChoices.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { layouts, roundings } from '#features/base/companies/company.ts'
import { listSeries, setSeries, type Company } from '#features/base/companies/endpoints.ts'
import { SaveBar, useCompanyForm, type CompanyForm } from '#features/base/companies/web/index.tsx'
import { previewDocument } from '../../endpoints.ts'
import { typeById } from '../../types/index.ts'
import '../documents.css'
import { TermsField } from '../editor/TermsField.tsx'
import { PaperPages } from '../page/PaperPages.tsx'
import { typeWord } from '../words.ts'
import { Signature } from './Signature.tsx'

const tabs = ['design', 'signature', 'defaults', 'mail', 'numbering'] as const
type Tab = (typeof tabs)[number]

/** How documents look, begin, are sent and are numbered. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const form = useCompanyForm()
  const tab: Tab = (tabs as readonly string[]).includes(query.tab ?? '') ? (query.tab as Tab) : 'design'
  const readOnly = !may('companies.change')
  return (
    <>
      <PageHeader
        title={t('screens.settingsDocuments')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
      >
        <Views
          label={t('documents.settings.parts')}
          value={tab}
          onChange={(next) => setQuery({ tab: next === 'design' ? undefined : next })}
          views={tabs.map((key) => ({ key, label: t(`documents.settings.tab.${key}`) }))}
        />
      </PageHeader>
      {form.loadFailure && !form.values ? (
        <EmptyState icon={TriangleAlert} title={t('companies.failed')}>
          {failureText(t, form.loadFailure)}
        </EmptyState>
      ) : !form.values ? (
        <Skeleton lines={8} />
      ) : tab === 'numbering' ? (
        <Numbering readOnly={readOnly} />
      ) : tab === 'signature' ? (
        <Signature readOnly={readOnly} />
      ) : (
        <>
          <fieldset disabled={readOnly} className="contents">
            {tab === 'design' ? (
              <Design form={form} values={form.values} />
            ) : tab === 'defaults' ? (
              <Defaults form={form} values={form.values} />
            ) : (
              <Mail form={form} values={form.values} />
            )}
          </fieldset>
          {!readOnly && <SaveBar form={form} />}
        </>
      )}
    </>
  )
}

interface PartProps {
  form: CompanyForm
  values: Company
}

function Design({ form, values }: PartProps) {
  const t = useWords()
  return (
    <div className="doc-design">
      <div className="co-form">
        <section>
          <ChoiceField
            even
            label={t('companies.fields.layout')}
            value={values.layout}
            onChange={(layout) => layout && form.put({ layout })}
            choices={layouts.map((value) => ({ value, label: t(`companies.layout.${value}`) }))}
            error={form.errorOf('layout')}
          />
          <ColorField
            label={t('companies.fields.accent')}
            value={values.accent}
            onChange={(accent) => form.put({ accent })}
            hint={t('companies.hints.accent')}
            error={form.errorOf('accent')}
          />
          <LanguageField
            label={t('companies.fields.language')}
            value={values.language}
            onChange={(language) => language && form.put({ language })}
            hint={t('companies.hints.language')}
            error={form.errorOf('language')}
          />
          <LongText
            label={t('companies.fields.textAbove')}
            optional
            rows={2}
            max={2000}
            value={values.textAbove}
            onChange={(textAbove) => form.put({ textAbove })}
            hint={t('companies.hints.textAbove')}
            error={form.errorOf('textAbove')}
          />
          <LongText
            label={t('companies.fields.textBelow')}
            optional
            rows={2}
            max={2000}
            value={values.textBelow}
            onChange={(textBelow) => form.put({ textBelow })}
            hint={t('companies.hints.textBelow')}
            error={form.errorOf('textBelow')}
          />
          <FlagField
            as="switch"
            label={t('companies.fields.showCreditLine')}
            value={values.showCreditLine}
            onChange={(showCreditLine) => form.put({ showCreditLine })}
          />
        </section>
      </div>
      <aside className="doc-pages" aria-label={t('documents.settings.sample')}>
        <Sample values={values} />
      </aside>
    </div>
  )
}

const REST_MS = 200

/**
 * An invented invoice, a quote where no invoices are issued, with the settings as they are typed; nothing is
 * saved.
 */
function Sample({ values }: { values: Company }) {
  const t = useWords()
  const { layout, accent, textAbove, textBelow, showCreditLine, language } = values
  const wanted = JSON.stringify({
    look: { layout, accent, textAbove, textBelow, showCreditLine },
    language,
    logo: values.logoVersion,
  })
  const [asked, setAsked] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), REST_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  const type = chargesVat(values.kind) ? 8 : 1
  const { data, isError } = useQuery({
    queryKey: ['documents.sample', type, asked],
    queryFn: ({ signal }) => {
      const { look, language: inLanguage } = JSON.parse(asked) as {
        look: Pick<Company, 'layout' | 'accent' | 'textAbove' | 'textBelow' | 'showCreditLine'>
        language: Company['language']
      }
      return call(
        previewDocument,
        {
          type,
          language: inLanguage,
          look,
          subject: t('documents.settings.sampleSubject'),
          customer: { name: t('documents.settings.sampleCustomer') },
          lines: [
            { description: t('documents.settings.sampleLine1'), quantity: '1', unitPrice: '1850' },
            { description: t('documents.settings.sampleLine2'), quantity: '18', unitPrice: '42.5' },
          ],
        },
        { signal, quiet: true },
      )
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 30_000,
    refetchOnWindowFocus: false,
  })
  return (
    <PaperPages pages={data?.pages.slice(0, 1)} failed={isError} label={t('documents.settings.sample')} />
  )
}

function Defaults({ form, values }: PartProps) {
  const t = useWords()
  return (
    <div className="co-form">
      <section>
        {chargesVat(values.kind) && (
          <ChoiceField
            label={t('companies.fields.defaultVatKind')}
            value={String(values.defaultVatKind)}
            onChange={(kind) => kind && form.put({ defaultVatKind: Number(kind) })}
            choices={[1, 2, 3, 4].map((kind) => ({
              value: String(kind),
              label: t(`companies.vatKinds.${kind}`),
            }))}
            hint={t('companies.hints.defaultVatKind')}
            error={form.errorOf('defaultVatKind')}
          />
        )}
        <div className="max-w-80">
          <TermsField
            label={t('companies.fields.dueTerms')}
            value={values.dueTerms}
            onChange={(dueTerms) => form.put({ dueTerms })}
            hint={t('companies.hints.dueTerms')}
            error={form.errorOf('dueTerms')}
          />
        </div>
        <ChoiceField
          label={t('companies.fields.rounding')}
          value={values.rounding}
          onChange={(rounding) => rounding && form.put({ rounding })}
          choices={roundings.map((value) => ({ value, label: t(`companies.rounding.${value}`) }))}
          hint={t('companies.hints.rounding')}
          error={form.errorOf('rounding')}
        />
        <FlagField
          as="switch"
          label={t('companies.fields.backDating')}
          value={values.backDating}
          onChange={(backDating) => form.put({ backDating })}
          hint={t('companies.hints.backDating')}
        />
      </section>
    </div>
  )
}

function Mail({ form, values }: PartProps) {
  const t = useWords()
  return (
    <div className="co-form">
      <section>
        <p className="sub">{t('documents.settings.mailText')}</p>
        <TextField
          label={t('companies.fields.mailSubject')}
          max={200}
          value={values.mailSubject}
          onChange={(mailSubject) => form.put({ mailSubject })}
          hint={t('companies.hints.mailSubject')}
          error={form.errorOf('mailSubject')}
        />
        <LongText
          label={t('companies.fields.mailText')}
          rows={9}
          max={4000}
          value={values.mailText}
          onChange={(mailText) => form.put({ mailText })}
          hint={t('companies.hints.mailText')}
          error={form.errorOf('mailText')}
        />
      </section>
    </div>
  )
}

/** The first number of each type; once the first document is issued, the numbers continue automatically. */
function Numbering({ readOnly }: { readOnly: boolean }) {
  const t = useWords()
  const { data, error } = useCall(listSeries, {})
  if (error && !data)
    return (
      <EmptyState icon={TriangleAlert} title={t('companies.failed')}>
        {failureText(t, error)}
      </EmptyState>
    )
  if (!data) return <Skeleton lines={4} />
  const rows = data.rows.filter((row) => typeById(row.type))
  return (
    <div className="co-form">
      <p className="sub">{t('documents.settings.numberingText')}</p>
      <Card label={t('documents.settings.tab.numbering')}>
        <Rows>
          {rows.map((row) =>
            row.started || readOnly ? (
              <div key={row.series}>
                <span className="grow">
                  <span className="t">{nameOf(t, row.type, row.branch)}</span>
                  <span className="s">
                    {t(row.started ? 'documents.settings.running' : 'documents.settings.notBegun')}
                  </span>
                </span>
                <Num>{row.nextNumber}</Num>
                {row.started && (
                  <Icon of={Lock} size="s" label={t('documents.settings.locked')} className="hint" />
                )}
              </div>
            ) : (
              <FirstNumber
                key={row.series}
                series={row.series}
                name={nameOf(t, row.type, row.branch)}
                next={row.nextNumber}
              />
            ),
          )}
        </Rows>
      </Card>
      {!readOnly && <Branch types={[...new Set(rows.map((row) => row.type))]} />}
    </div>
  )
}

/** 'Tax invoice', or 'Tax invoice, branch Haifa'. */
const nameOf = (t: Words, type: number, branch: string): string =>
  branch === ''
    ? typeWord(t, type)
    : t('documents.settings.typeOfBranch', { type: typeWord(t, type), branch })

/** Where the numbers of a branch begin, before its first document. */
function Branch({ types }: { types: readonly number[] }) {
  const t = useWords()
  const [type, setType] = useState(types[0]!)
  const [branch, setBranch] = useState('')
  const [next, setNext] = useState<number | null>(null)
  const [said, setSaid] = useState<Record<string, string | undefined>>({})
  const [busy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const need = t('errors.fields.need')
    const wrong = {
      ...(branch.trim() === '' ? { branch: need } : {}),
      ...(next === null ? { nextNumber: need } : {}),
    }
    setSaid(wrong)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      await call(setSeries, { series: `${documentTypeById(type)}@${branch.trim()}`, nextNumber: next! })
      await queryClient.invalidateQueries({ queryKey: keyOf(listSeries) })
      banner.success(
        t('documents.settings.numberSaved', { type: nameOf(t, type, branch.trim()), number: String(next) }),
      )
      setBranch('')
      setNext(null)
    } catch (e) {
      const { fields, rest } = fieldErrors(t, e, ['nextNumber', 'series'])
      setSaid({ nextNumber: fields.nextNumber ?? rest, branch: fields.series })
    }
    setBusy(false)
  }
  return (
    <Card title={t('documents.settings.addBranch')}>
      <p className="sub mb-3">{t('documents.settings.branchText')}</p>
      <form className="doc-hand bare" onSubmit={(event) => void save(event)} noValidate>
        <ChoiceField
          as="list"
          label={t('documents.fields.type')}
          value={String(type)}
          onChange={(value) => value && setType(Number(value))}
          choices={types.map((id) => ({ value: String(id), label: typeWord(t, id) }))}
        />
        <TextField
          label={t('documents.fields.branch')}
          name="branch"
          max={20}
          value={branch}
          onChange={(value) => {
            setBranch(value)
            setSaid({})
          }}
          error={said.branch}
        />
        <WholeField
          label={t('documents.settings.branchFirst')}
          name="nextNumber"
          value={next}
          onChange={(value) => {
            setNext(value)
            setSaid({})
          }}
          error={said.nextNumber}
        />
        <Button type="submit" busy={busy}>
          {t('companies.save')}
        </Button>
      </form>
    </Card>
  )
}

function FirstNumber({ series, name, next }: { series: string; name: string; next: number }) {
  const t = useWords()
  const [value, setValue] = useState<number | null>(next)
  const [said, setSaid] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (value === null || value === next) return
    setBusy(true)
    setSaid(undefined)
    try {
      await call(setSeries, { series, nextNumber: value })
      await queryClient.invalidateQueries({ queryKey: keyOf(listSeries) })
      banner.success(t('documents.settings.numberSaved', { type: name, number: String(value) }))
    } catch (e) {
      const { fields, rest } = fieldErrors(t, e, ['nextNumber'])
      setSaid(fields.nextNumber ?? rest)
    }
    setBusy(false)
  }
  return (
    <form className="doc-first" onSubmit={(event) => void save(event)} noValidate>
      <span className="grow">
        <span className="t">{name}</span>
        <span className="s">{t('documents.settings.notBegun')}</span>
      </span>
      <div className="w-32">
        <WholeField
          hideLabel
          label={t('documents.settings.firstNumber', { type: name })}
          value={value}
          onChange={setValue}
          error={said}
        />
      </div>
      <Button type="submit" busy={busy} {...(value === next ? { isDisabled: true } : {})}>
        {t('companies.save')}
      </Button>
    </form>
  )
}
