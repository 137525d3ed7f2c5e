import { isTaxId } from '#domain/taxId.ts'
import { call } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TaxIdField } from '#kit/web/fields/ContactFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
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
import { signUpCpa } from '../endpoints.ts'

const kinds = ['licensedDealer', 'company', 'partnership', 'exemptDealer'] as const

/** Opens an accountant's office: its name and number, the licence, and who manages it. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const { ref: formRef, ...form } = useForm(
    {
      kind: 'partnership' as (typeof kinds)[number] | null,
      'office.name': '',
      'office.taxId': '',
      'office.licence': '',
      ...newPerson(),
    },
    (v) => ({
      kind: !v.kind && 'errors.fields.choice',
      'office.name': !v['office.name'].trim() && 'errors.fields.need',
      'office.taxId': !v['office.taxId'].trim()
        ? 'errors.fields.need'
        : !isTaxId(v['office.taxId']) && 'errors.fields.taxId',
      ...personFaults(v),
    }),
    async (v) =>
      setSession(
        await call(signUpCpa, {
          ...personGiven(v),
          office: {
            name: v['office.name'].trim(),
            kind: v.kind!,
            taxId: v['office.taxId'].trim(),
            licence: v['office.licence'].trim(),
          },
          language: lang,
        }),
      ),
  )
  return (
    <AccountFrame
      wide
      title={t('screens.signUpCpa')}
      sub={t('practice.signUp.sub')}
      other={{
        ask: t('session.signUp.haveOne'),
        word: t('session.logIn.do'),
        href: `/logincpa${location.search}`,
      }}
    >
      <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
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
            {...form.field('office.name')}
            label={t('practice.field.office')}
            autoComplete="organization"
            max={120}
            autoFocus
          />
          <TaxIdField {...form.field('office.taxId')} label={t('session.field.taxId')} />
          <TextField
            {...form.field('office.licence')}
            label={t('practice.field.licence')}
            ltr
            optional
            max={20}
          />
          <PersonFields form={form as never} />
        </div>
        <TermsField form={form as never} />
        <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
          {t('practice.signUp.do')}
        </Button>
      </form>
    </AccountFrame>
  )
}
