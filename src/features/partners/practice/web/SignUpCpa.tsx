import { isTaxId } from '#domain/taxId.ts'
import { call } from '#kit/web/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField, PhoneField, TaxIdField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { setSession } from '#kit/web/session.ts'
import { useLanguage, useWords } from '#kit/web/words.tsx'
import { AccountFrame, isEmail, isPhone, useForm } from '#features/base/session/web/index.tsx'
import { signUpCpa } from '../endpoints.ts'

const kinds = ['licensedDealer', 'company', 'partnership', 'exemptDealer'] as const

/** Opens an accountant's office: its name and number, the licence, and who manages it. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const form = useForm(
    {
      kind: 'partnership' as (typeof kinds)[number] | null,
      'office.name': '',
      'office.taxId': '',
      'office.licence': '',
      fullName: '',
      email: '',
      phone: '',
      password: '',
      termsAccepted: false,
    },
    (v) => ({
      kind: !v.kind && 'errors.fields.choice',
      'office.name': !v['office.name'].trim() && 'errors.fields.need',
      'office.taxId': !v['office.taxId'].trim() ? 'errors.fields.need' : !isTaxId(v['office.taxId']) && 'errors.fields.taxId',
      fullName: !v.fullName.trim() && 'errors.fields.need',
      email: !v.email.trim() ? 'errors.fields.need' : !isEmail(v.email) && 'errors.fields.email',
      phone: v.phone.trim() !== '' && !isPhone(v.phone) && 'errors.fields.phone',
      password: !v.password ? 'errors.fields.need' : v.password.length < 8 && 'errors.fields.password',
      termsAccepted: !v.termsAccepted && 'errors.session.termsNeeded',
    }),
    async (v) =>
      setSession(
        await call(signUpCpa, {
          email: v.email.trim(),
          password: v.password,
          fullName: v.fullName.trim(),
          ...(v.phone.trim() ? { phone: v.phone.trim() } : {}),
          office: { name: v['office.name'].trim(), kind: v.kind!, taxId: v['office.taxId'].trim(), licence: v['office.licence'].trim() },
          language: lang,
          termsAccepted: true,
        }),
      ),
  )
  return (
    <AccountFrame
      wide
      title={t('screens.signUpCpa')}
      sub={t('practice.signUp.sub')}
      other={{ ask: t('session.signUp.haveOne'), word: t('session.logIn.do'), href: `/logincpa${location.search}` }}
    >
      <form className="a-form" ref={form.ref} onSubmit={form.submit} noValidate>
        {form.rest && <Note tone="late">{form.rest}</Note>}
        <div className="a-kinds">
          <ChoiceField
            {...form.field('kind')}
            label={t('session.field.kind')}
            choices={kinds.map((value) => ({ value, label: t(`session.kind.${value}`) }))}
          />
        </div>
        <div className="a-pair">
          <TextField {...form.field('office.name')} label={t('practice.field.office')} autoComplete="organization" max={120} autoFocus />
          <TaxIdField {...form.field('office.taxId')} label={t('session.field.taxId')} />
          <TextField {...form.field('office.licence')} label={t('practice.field.licence')} ltr optional max={20} />
          <TextField {...form.field('fullName')} label={t('session.field.fullName')} autoComplete="name" max={120} />
          <PhoneField {...form.field('phone')} label={t('session.field.phone')} optional />
          <EmailField {...form.field('email')} label={t('session.field.email')} />
          <PasswordField {...form.field('password')} label={t('session.field.choosePassword')} isNew />
        </div>
        <FlagField
          {...form.field('termsAccepted')}
          label={
            <>
              {t('session.signUp.read')}{' '}
              <a className="link" href="/termsinvoice" target="_blank">
                {t('screens.terms')}
              </a>
              {' · '}
              <a className="link" href="/privacy" target="_blank">
                {t('screens.privacy')}
              </a>
            </>
          }
        />
        <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
          {t('practice.signUp.do')}
        </Button>
      </form>
    </AccountFrame>
  )
}
