import { ArrowLeftRight, ImageUp, ShieldCheck, Trash2, TriangleAlert } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import { formatDay } from '#domain/format.ts'
import {
  call,
  failureText,
  fieldErrors,
  keyOf,
  queryClient,
  useCall,
  useFailureText,
} from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField, PhoneField, TaxIdField } from '#kit/web/fields/ContactFields.tsx'
import { FileField } from '#kit/web/fields/FileField.tsx'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Dialog, Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { FileDrop } from '#kit/web/parts/FileDrop.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { LogoCropper } from '#kit/web/parts/LogoCropper.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { NotFound } from '#kit/web/shell/Notices.tsx'
import { usePictureUrl } from '#kit/web/calls/useBytesUrl.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { businessKindNames } from '../company.ts'
import {
  addCertificate,
  dropLogo,
  getCompany,
  getLogo,
  listCertificates,
  makeCertificate,
  myCompanies,
  setLogo,
  type Company,
} from '../endpoints.ts'
import { Languages } from './Languages.tsx'
import './companies.css'
import { Papers } from './Papers.tsx'
import { SaveBar } from './SaveBar.tsx'
import { Tax, type CompanyPart } from './Tax.tsx'
import { useCompanyForm, type CompanyField, type CompanyForm } from './useCompanyForm.ts'
import { useSwitch } from './useSwitch.tsx'

const tabs = ['details', 'tax', 'papers', 'signing'] as const
type Tab = (typeof tabs)[number]

/**
 * The business: its legal details and logo, its files at the tax authorities, their certificates, and the
 * certificate it signs with. By the address with a key it is a certain business: another one of mine is
 * opened by going there.
 */
export function Screen() {
  const t = useWords()
  const { params, query, setQuery } = usePlace()
  const session = useSession()
  const asked = query.tab ?? params.type
  const tab: Tab = (tabs as readonly string[]).includes(asked ?? '') ? (asked as Tab) : 'details'
  if (params.key && session?.CompanyKey && params.key.toLowerCase() !== session.CompanyKey)
    return <OtherBusiness id={params.key} />
  return (
    <>
      <PageHeader
        title={t('screens.businessDetails')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
      >
        <Views
          label={t('companies.parts')}
          value={tab}
          onChange={(next) => setQuery({ tab: next === 'details' ? undefined : next })}
          views={tabs.map((key) => ({ key, label: t(`companies.tab.${key}`) }))}
        />
      </PageHeader>
      {tab === 'signing' ? <Signing /> : tab === 'papers' ? <Papers /> : <Settings tab={tab} />}
    </>
  )
}

/** A business that is not the one of now: mine is gone to, a stranger's is not there. */
function OtherBusiness({ id }: { id: string }) {
  const t = useWords()
  const way = useSwitch()
  const { data } = useCall(myCompanies, {})
  if (!data) return <Skeleton lines={4} />
  const other = data.rows.find((row) => row.id === id.toLowerCase())
  if (!other) return <NotFound />
  return (
    <>
      <PageHeader
        title={other.name}
        crumbs={[{ label: t('screens.companies'), href: '/invoice/InvoiceCompanies' }]}
      />
      <EmptyState
        icon={ArrowLeftRight}
        title={t('companies.switch.needed', { name: other.name })}
        actions={
          <Button kind="primary" busy={way.busy !== undefined} onPress={() => way.go(other)}>
            {t('companies.switch.to', { name: other.name })}
          </Button>
        }
      >
        {t('companies.switch.neededText')}
      </EmptyState>
      {way.question}
    </>
  )
}

/** Details and tax are one form: what is typed on one stays while the other is looked at. */
function Settings({ tab }: { tab: 'details' | 'tax' }) {
  const t = useWords()
  const may = useCan()
  const form = useCompanyForm()
  if (form.loadFailure && !form.values)
    return (
      <EmptyState icon={TriangleAlert} title={t('companies.failed')}>
        {failureText(t, form.loadFailure)}
      </EmptyState>
    )
  if (!form.values) return <Skeleton lines={8} />
  const readOnly = !may('companies.change')
  const Part = tab === 'tax' ? Tax : Details
  return (
    <>
      <form
        className="co-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void form.save()
        }}
      >
        <Part form={form} values={form.values} readOnly={readOnly} />
        <button type="submit" hidden />
      </form>
      {!readOnly && <SaveBar form={form} />}
    </>
  )
}

function Details({ form, values, readOnly }: CompanyPart) {
  const t = useWords()
  const text = (
    name: CompanyField,
    more: {
      optional?: boolean
      ltr?: boolean
      max?: number
      hint?: string
      inputMode?: 'numeric' | 'url'
    } = {},
  ) => (
    <TextField
      label={t(`companies.fields.${name}`)}
      name={name}
      value={String(values[name] ?? '')}
      onChange={(value) => form.put({ [name]: value } as Partial<Company>)}
      error={form.errorOf(name)}
      readOnly={readOnly}
      {...more}
    />
  )
  return (
    <>
      <section aria-labelledby="co-logo">
        <h2 id="co-logo">{t('companies.logo.title')}</h2>
        <Logo company={values} readOnly={readOnly} />
      </section>
      <section aria-labelledby="co-identity">
        <h2 id="co-identity">{t('companies.sections.identity')}</h2>
        {text('name', { max: 120, hint: t('companies.hints.name') })}
        <ChoiceField
          label={t('companies.fields.kind')}
          value={values.kind}
          onChange={(kind) => kind && form.put({ kind })}
          choices={businessKindNames.map((value) => ({ value, label: t(`companies.kind.${value}`) }))}
          hint={t('companies.hints.kind')}
          error={form.errorOf('kind')}
          disabled={readOnly}
        />
        <TaxIdField
          label={t('companies.fields.taxId')}
          name="taxId"
          value={values.taxId}
          onChange={(taxId) => form.put({ taxId })}
          error={form.errorOf('taxId')}
          hint={t('companies.hints.taxId')}
          readOnly={readOnly}
        />
      </section>
      <section aria-labelledby="co-contact">
        <h2 id="co-contact">{t('companies.sections.contact')}</h2>
        {text('street', { max: 120 })}
        <div className="co-pair">
          {text('city', { max: 80 })}
          {text('zip', { optional: true, ltr: true, max: 10, inputMode: 'numeric' })}
        </div>
        <div className="co-pair">
          <PhoneField
            label={t('companies.fields.phone')}
            name="phone"
            value={values.phone}
            onChange={(phone) => form.put({ phone })}
            error={form.errorOf('phone')}
            readOnly={readOnly}
          />
          <EmailField
            label={t('companies.fields.email')}
            name="email"
            value={values.email}
            onChange={(email) => form.put({ email })}
            error={form.errorOf('email')}
            readOnly={readOnly}
          />
        </div>
        {text('website', { optional: true, ltr: true, max: 120, inputMode: 'url' })}
        <LongText
          label={t('companies.fields.bankDetails')}
          optional
          rows={2}
          max={500}
          value={values.bankDetails}
          onChange={(bankDetails) => form.put({ bankDetails })}
          hint={t('companies.hints.bankDetails')}
          error={form.errorOf('bankDetails')}
          readOnly={readOnly}
        />
        <div className="co-pair">
          {text('iban', { optional: true, ltr: true, max: 42, hint: t('companies.hints.iban') })}
          {text('swift', { optional: true, ltr: true, max: 16 })}
        </div>
      </section>
      <Languages company={values} readOnly={readOnly} />
    </>
  )
}

/** Bytes as base64, in pieces: a long argument list would overflow. */
async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(text)
}

function Logo({ company, readOnly }: { company: NonNullable<CompanyForm['values']>; readOnly: boolean }) {
  const t = useWords()
  const failure = useFailureText()
  const [file, setFile] = useState<File | null>(null)
  const [asks, setAsks] = useState(false)
  const url = usePictureUrl(getLogo, company.hasLogo, company.logoVersion)
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(getCompany) })
  const save = async (picture: Blob) => {
    try {
      await call(setLogo, { image: await base64Of(picture) })
      await refresh()
      setFile(null)
      banner.success(t('companies.logo.saved'))
    } catch (e) {
      setFile(null)
      banner.error(failure(e))
    }
  }
  return (
    <div className="co-logo">
      {url && <img src={url} alt={t('companies.logo.alt', { name: company.name })} />}
      {!readOnly && (
        <div className="grow">
          <FileDrop
            icon={ImageUp}
            accept="image/jpeg,image/png,image/webp"
            limit={10_000_000}
            label={t(company.hasLogo ? 'companies.logo.another' : 'companies.logo.choose')}
            onFiles={([chosen]) => chosen && setFile(chosen)}
          >
            {t(company.hasLogo ? 'companies.logo.another' : 'companies.logo.choose')}
          </FileDrop>
        </div>
      )}
      {company.hasLogo && !readOnly && (
        <Button kind="quiet" icon={Trash2} onPress={() => setAsks(true)}>
          {t('companies.logo.drop')}
        </Button>
      )}
      <LogoCropper file={file} onClose={() => setFile(null)} onDone={save} />
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('companies.logo.dropAsk')}
        verb={t('companies.logo.drop')}
        danger
        onConfirm={async () => {
          try {
            await call(dropLogo, {})
            await refresh()
          } catch (e) {
            banner.error(failure(e))
          }
        }}
      >
        {t('companies.logo.dropText')}
      </Question>
    </div>
  )
}

/** Whose certificate it is: the name out of 'C=IL + O=… + CN=…'. */
const holderOf = (subject: string): string =>
  /(?:^|[,+]\s*)(?:CN|O)=([^,+]+)/.exec(subject)?.[1]?.trim() ?? subject

/** The certificates documents are sealed with: ours, made at once, or one a certifying authority gave. */
function Signing() {
  const t = useWords()
  const may = useCan()
  const failure = useFailureText()
  const { data, isLoading, error } = useCall(listCertificates, {})
  const [adding, setAdding] = useState(false)
  const [asks, setAsks] = useState(false)
  const readOnly = !may('companies.change')
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(listCertificates) })
  if (isLoading) return <Skeleton lines={4} />
  if (error && !data)
    return (
      <EmptyState icon={TriangleAlert} title={t('companies.failed')}>
        {failureText(t, error)}
      </EmptyState>
    )
  const rows = data?.rows ?? []
  return (
    <div className="co-form">
      <p className="sub">{t('companies.signing.text')}</p>
      {rows.length > 0 && (
        <Card label={t('companies.tab.signing')}>
          <Rows>
            {rows.map((row) => (
              <div key={row.id}>
                <span className="k-tile" data-tone={row.active ? 'done' : undefined}>
                  <Icon of={ShieldCheck} />
                </span>
                <span className="grow">
                  <span className="t cut" dir="auto">
                    {holderOf(row.subject)}
                  </span>
                  <span className="s">
                    {row.selfMade ? t('companies.signing.own') : <bdi>{row.issuer}</bdi>} ·{' '}
                    {t('companies.signing.until')} <Num>{formatDay(row.validTo.slice(0, 10))}</Num>
                  </span>
                </span>
                {row.active && <StatusPill tone="done">{t('companies.signing.inUse')}</StatusPill>}
              </div>
            ))}
          </Rows>
        </Card>
      )}
      {rows.length === 0 && <Note>{t('companies.signing.none')}</Note>}
      {!readOnly && (
        <div className="flex flex-wrap gap-2">
          <Button onPress={() => setAdding(true)}>{t('companies.signing.upload')}</Button>
          <Button kind="quiet" onPress={() => setAsks(true)}>
            {t('companies.signing.make')}
          </Button>
        </div>
      )}
      {adding && (
        <CertificateDialog
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false)
            void refresh()
            banner.success(t('companies.signing.added'))
          }}
        />
      )}
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('companies.signing.makeAsk')}
        verb={t('companies.signing.makeDo')}
        onConfirm={async () => {
          try {
            await call(makeCertificate, {})
            await refresh()
            banner.success(t('companies.signing.added'))
          } catch (e) {
            banner.error(failure(e))
          }
        }}
      >
        {t('companies.signing.makeText')}
      </Question>
    </div>
  )
}

function CertificateDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const t = useWords()
  const form = useId()
  const [file, setFile] = useState<File | null>(null)
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const { fields, rest } = failure
    ? fieldErrors(t, failure, ['pkcs12', 'password'])
    : { fields: {} as Record<string, string>, rest: undefined }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!file) return
    setBusy(true)
    setFailure(undefined)
    try {
      await call(addCertificate, { pkcs12: await base64Of(file), password })
      onDone()
    } catch (e) {
      setFailure(e)
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      title={t('companies.signing.upload')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            busy={busy}
            {...(file ? {} : { blocked: t('companies.signing.fileFirst') })}
          >
            {t('companies.signing.use')}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" onSubmit={(event) => void send(event)} noValidate>
        {rest && <Note tone="late">{rest}</Note>}
        <FileField
          label={t('companies.signing.file')}
          accept=".p12,.pfx,application/x-pkcs12"
          limit={70_000}
          value={file}
          onChange={setFile}
          error={fields.pkcs12}
          hint={t('companies.signing.fileHint')}
        />
        <PasswordField
          label={t('companies.signing.password')}
          value={password}
          onChange={setPassword}
          error={fields.password}
          hint={t('companies.signing.passwordHint')}
        />
      </form>
    </Dialog>
  )
}
