import { EmailField, PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { isEmail, isPhone, type Form } from './useForm.ts'

/** The personal fields of every sign-up. */
export interface Person extends Record<string, unknown> {
  fullName: string
  email: string
  phone: string
  password: string
  termsAccepted: boolean
}

export const newPerson = (known: Partial<Person> = {}): Person => ({
  fullName: '',
  email: '',
  phone: '',
  password: '',
  termsAccepted: false,
  ...known,
})

/** Word keys of what is wrong, by field. */
export const personFaults = (v: Person) => ({
  fullName: !v.fullName.trim() && 'errors.fields.need',
  email: !v.email.trim() ? 'errors.fields.need' : !isEmail(v.email) && 'errors.fields.email',
  phone: v.phone.trim() !== '' && !isPhone(v.phone) && 'errors.fields.phone',
  password: !v.password ? 'errors.fields.need' : v.password.length < 8 && 'errors.fields.password',
  termsAccepted: !v.termsAccepted && 'errors.session.termsNeeded',
})

/** As the calls take it; the person who sends it has seen the terms. */
export const personGiven = (v: Person) => ({
  email: v.email.trim(),
  password: v.password,
  fullName: v.fullName.trim(),
  ...(v.phone.trim() ? { phone: v.phone.trim() } : {}),
  termsAccepted: true as const,
})

/** `withoutPassword`: the person logs in another way. */
export function PersonFields({ form, withoutPassword }: { form: Form<Person>; withoutPassword?: boolean }) {
  const t = useWords()
  return (
    <>
      <TextField
        {...form.field('fullName')}
        label={t('session.field.fullName')}
        autoComplete="name"
        max={120}
      />
      <PhoneField {...form.field('phone')} label={t('session.field.phone')} optional />
      <EmailField {...form.field('email')} label={t('session.field.email')} />
      {!withoutPassword && (
        <PasswordField {...form.field('password')} label={t('session.field.choosePassword')} isNew />
      )}
    </>
  )
}

export function TermsField({ form }: { form: Form<Person> }) {
  const t = useWords()
  return (
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
  )
}
