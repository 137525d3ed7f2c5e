import { useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { guessTaxIdKind, isTaxId } from '#domain/taxId.ts'
import { call, useCall, useFailureText } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TaxIdField } from '#kit/web/fields/ContactFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { readQuery, wanted, writeQuery } from '#kit/web/routes/place.ts'
import { setSession } from '#kit/web/session/session.ts'
import { affiliateKept, contactOf, start } from '#kit/web/start.ts'
import { store } from '#kit/web/session/storage.ts'
import { useWhenIdle } from '#kit/web/hooks/useWhenIdle.ts'
import { useBrand } from '#kit/web/words/wording.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { signUp } from '#features/base/companies/endpoints.ts'
import { openDemo } from '#features/office/demo/endpoints.ts'
import { addEventView, logInMeans } from '#features/base/session/endpoints.ts'
import {
  AccountFrame,
  goToGoogle,
  newPerson,
  personFaults,
  personGiven,
  PersonFields,
  takeGoogleSignUp,
  TermsField,
  useForm,
} from '#features/base/session/web/index.tsx'
import { Paper } from './Paper.tsx'

const kinds = ['licensedDealer', 'exemptDealer', 'company', 'partnership', 'nonProfit'] as const
type Kind = (typeof kinds)[number]

/** The kind a number's prefix suggests; a person may be either dealer, so an explicit choice is kept. */
const guess = (taxId: string): Kind | undefined => {
  const kind = isTaxId(taxId) ? guessTaxIdKind(taxId) : undefined
  return kind === 'company' || kind === 'partnership' || kind === 'nonProfit'
    ? kind
    : kind === 'cooperative'
      ? 'company'
      : undefined
}

/** Who sent the person here: this address, or an earlier visit; and the trade of the entrance page. */
const sender = () => {
  const aff = affiliateKept()
  const { area } = readQuery(location.search)
  const cpaid = start.cpaid ?? start.cpa ?? store.get('cpa')
  return {
    ...(aff ? { aff: aff.slice(0, 100) } : {}),
    ...(start.catid ? { catid: start.catid.slice(0, 100) } : {}),
    ...(cpaid ? { cpaid: cpaid.slice(0, 100) } : {}),
    ...(area ? { area: area.slice(0, 40) } : {}),
  }
}

/** That somebody came so far is counted once nothing else is waited for; the person who is gone by then did not. */
const countOpened = () => call(addEventView, { event: 'signUpOpened' })

/** Creates a business: the details its documents print, the person, and the terms. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const said = useFailureText()
  const means = useCall(logInMeans, {}, { staleTime: 600_000 }).data
  const brand = useBrand()
  useWhenIdle(countOpened)
  const chose = useRef(false)
  const [demo, setDemo] = useState<{ busy?: boolean; failed?: string }>({})

  const [known] = useState(() => contactOf(start))
  const [came] = useState(takeGoogleSignUp)
  const [google, setGoogle] = useState(came && 'token' in came ? came : undefined)
  const { ref: formRef, ...form } = useForm(
    {
      kind: 'licensedDealer' as Kind | null,
      'business.name': known.business,
      'business.taxId': '',
      ...newPerson({ fullName: known.name, email: known.email, phone: known.phone }),
      ...came?.signUp,
      ...(google
        ? { email: google.email, ...(came?.signUp?.fullName ? {} : { fullName: google.name }) }
        : {}),
    },
    (v) => ({
      kind: !v.kind && 'errors.fields.choice',
      'business.name': !v['business.name'].trim() && 'errors.fields.need',
      'business.taxId': !v['business.taxId'].trim()
        ? 'errors.fields.need'
        : !isTaxId(v['business.taxId']) && 'errors.fields.taxId',
      ...personFaults(v),
      ...(google ? { password: false } : {}),
    }),
    async (v) => {
      const { password, ...person } = personGiven(v)
      const opened = await call(signUp, {
        ...person,
        ...(google ? { googleToken: google.token } : { password }),
        business: { name: v['business.name'].trim(), kind: v.kind!, taxId: v['business.taxId'].trim() },
        language: lang,
        ...sender(),
        ...(brand.isDealer ? { domain: location.hostname } : {}),
      })
      // The plan chosen on the page of prices is waiting where businesses pay.
      const plan = new URLSearchParams(location.search).get('plan')
      if (plan) wanted.href = `/invoice/mainpayment${writeQuery({ plan })}`
      setSession(opened)
    },
  )
  const { values } = form
  const taxId = form.field('business.taxId')
  const failed = form.rest ?? demo.failed ?? (came && 'refused' in came ? t(came.refused) : undefined)

  return (
    <AccountFrame
      wide
      title={t('session.signUp.title')}
      sub={t('session.signUp.sub')}
      other={{
        ask: t('session.signUp.haveOne'),
        word: t('session.logIn.do'),
        href: `/login${location.search}`,
      }}
      aside={
        <Paper
          name={values['business.name']}
          kind={values.kind ? t(`session.kind.${values.kind}`) : undefined}
          taxId={values['business.taxId']}
          contact={[values.phone, values.email].map((one) => one.trim()).filter(Boolean)}
        />
      }
    >
      <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
        {failed && <Note tone="late">{failed}</Note>}
        {google && (
          <Note
            tone="info"
            action={
              <Button size="s" kind="soft" onPress={() => setGoogle(undefined)}>
                {t('session.signUp.byPassword')}
              </Button>
            }
          >
            {t('session.signUp.asGoogle', { email: google.email })}
          </Note>
        )}
        <div className="a-kinds">
          <ChoiceField
            {...form.field('kind')}
            label={t('session.field.kind')}
            choices={kinds.map((value) => ({ value, label: t(`session.kind.${value}`) }))}
            onChange={(kind) => {
              chose.current = true
              form.set({ kind })
            }}
          />
        </div>
        <div className="a-pair">
          <TextField
            {...form.field('business.name')}
            label={t('session.field.businessName')}
            autoComplete="organization"
            max={120}
            autoFocus
          />
          <TaxIdField
            {...taxId}
            label={t('session.field.taxId')}
            onChange={(number) => {
              const kind = chose.current ? undefined : guess(number)
              form.set(kind ? { 'business.taxId': number, kind } : { 'business.taxId': number })
            }}
          />
          <PersonFields form={form as never} withoutPassword={google !== undefined} />
        </div>
        <TermsField form={form as never} />
        <div className="a-ways">
          <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
            {t('session.signUp.do')}
          </Button>
          <p className="a-under">{t('session.signUp.free')}</p>
          {!google && means?.googleClientId && means.googleAddress && (
            <Button
              size="l"
              wide
              onPress={() => {
                const { password: _, ...written } = values
                goToGoogle(
                  { clientId: means.googleClientId!, address: means.googleAddress! },
                  { signUp: written },
                )
              }}
            >
              {t('session.signUp.google')}
            </Button>
          )}
          {means?.demo && (
            <Button
              kind="quiet"
              wide
              busy={demo.busy}
              onPress={() => {
                setDemo({ busy: true })
                call(openDemo, { language: lang }).then(setSession, (e: unknown) =>
                  setDemo({ failed: said(e) }),
                )
              }}
            >
              {t('session.logIn.demo')}
            </Button>
          )}
        </div>
      </form>
      <p className="a-under">
        {t('session.signUp.affiliate')}{' '}
        <Link className="link" href={`/pricing${location.search}`}>
          {t('screens.pricing')}
        </Link>
      </p>
    </AccountFrame>
  )
}
