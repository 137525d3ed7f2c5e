import { isTaxId } from '#domain/taxId.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TaxIdField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { setSession } from '#kit/web/session/session.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import {
  AccountFrame,
  newPerson,
  personFaults,
  personGiven,
  PersonFields,
  TermsField,
  useForm,
} from '#features/base/session/web/index.tsx'
import { programme, signUpAff } from '../endpoints.ts'
import { AccountFields } from './AccountFields.tsx'
import { PlanLines } from './PlanLines.tsx'
import './affiliates.css'

const kinds = ['licensedDealer', 'exemptDealer', 'company', 'partnership', 'nonProfit'] as const

/** Sign-up of people who bring businesses to the product: identity, account, and the plan of commissions. */
export function Screen() {
  const t = useWords()
  const { data } = useCall(programme, {}, { staleTime: 600_000 })
  return (
    <AccountFrame
      wide
      title={t('screens.signUpAff')}
      sub={data?.isOn === false ? undefined : t('affiliates.signUp.sub')}
      other={{
        ask: t('session.signUp.haveOne'),
        word: t('session.logIn.do'),
        href: `/afflogin${location.search}`,
      }}
    >
      {!data ? (
        // As tall as what comes, or the head of the page would go up when it does.
        <div className="af-wait">
          <Skeleton lines={6} />
        </div>
      ) : data.isOn ? (
        <Form plan={data.plan} />
      ) : (
        <Note>{t('affiliates.signUp.off')}</Note>
      )}
    </AccountFrame>
  )
}

function Form({ plan }: { plan: React.ComponentProps<typeof PlanLines>['plan'] | null }) {
  const t = useWords()
  const { lang } = useLanguage()
  const { ref: formRef, ...form } = useForm(
    {
      kind: 'licensedDealer' as (typeof kinds)[number] | null,
      'business.name': '',
      'business.taxId': '',
      bankCode: null as string | null,
      bankBranch: '',
      bankAccount: '',
      selfBilling: false,
      ...newPerson(),
    },
    (v) => ({
      kind: !v.kind && 'errors.fields.choice',
      'business.name': !v['business.name'].trim() && 'errors.fields.need',
      'business.taxId': !v['business.taxId'].trim()
        ? 'errors.fields.need'
        : !isTaxId(v['business.taxId']) && 'errors.fields.taxId',
      selfBilling: !v.selfBilling && 'errors.fields.need',
      ...personFaults(v),
    }),
    async (v) =>
      setSession(
        await call(signUpAff, {
          ...personGiven(v),
          business: { name: v['business.name'].trim(), kind: v.kind!, taxId: v['business.taxId'].trim() },
          account: {
            bankCode: v.bankCode === null ? null : Number(v.bankCode),
            bankBranch: v.bankBranch.trim() || null,
            bankAccount: v.bankAccount.trim() || null,
            bankAccountName: null,
          },
          selfBilling: true,
          language: lang,
        }),
      ),
  )
  return (
    <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
      {plan && (
        <Note>
          <PlanLines plan={plan} />
        </Note>
      )}
      {form.rest && <Note tone="late">{form.rest}</Note>}
      <div className="a-kinds">
        <ChoiceField
          {...form.field('kind')}
          label={t('session.field.kind')}
          choices={kinds.map((value) => ({ value, label: t(`session.kind.${value}`) }))}
        />
      </div>
      <div className="a-pair">
        <TextField
          {...form.field('business.name')}
          label={t('affiliates.field.business')}
          autoComplete="organization"
          max={120}
          autoFocus
        />
        <TaxIdField {...form.field('business.taxId')} label={t('session.field.taxId')} />
        <PersonFields form={form as never} />
      </div>
      <div className="af-three">
        <AccountFields
          optional
          bankCode={form.field('bankCode')}
          bankBranch={form.field('bankBranch')}
          bankAccount={form.field('bankAccount')}
        />
      </div>
      <FlagField {...form.field('selfBilling')} label={t('affiliates.signUp.selfBilling')} />
      <TermsField form={form as never} />
      <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
        {t('affiliates.signUp.do')}
      </Button>
    </form>
  )
}
