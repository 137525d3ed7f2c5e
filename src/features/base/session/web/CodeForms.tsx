import type { ReactNode } from 'react'
import { call } from '#kit/web/calls/call.ts'
import { PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import type { askLogInCode, askSmsCode } from '../endpoints.ts'
import { isPhone, useForm, type Form } from './useForm.ts'

/** Asks for the phone a code is sent to. Whether anybody has it is not told: what follows is the same. */
export function AskCode({
  by,
  phone = '',
  onSent,
  children,
}: {
  by: typeof askSmsCode | typeof askLogInCode
  phone?: string
  onSent: (phone: string) => void
  /** Other ways, below. */
  children?: ReactNode
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const { ref: formRef, ...form } = useForm(
    { phone },
    (v) => ({ phone: !v.phone.trim() ? 'errors.fields.need' : !isPhone(v.phone) && 'errors.fields.phone' }),
    async (v) => {
      await call(by, { phone: v.phone, language: lang })
      onSent(v.phone)
    },
  )
  return (
    <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
      {form.rest && <Note tone="late">{form.rest}</Note>}
      <PhoneField {...form.field('phone')} label={t('session.field.phone')} autoFocus />
      <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
        {t('session.reset.smsDo')}
      </Button>
      {children}
    </form>
  )
}

/** What is wrong with a code as it was typed. */
export const codeFault = (code: string) => !/^\d{6}$/.test(code.replace(/\s/g, '')) && 'errors.fields.code'

/** The six digits of a message; the phone suggests them automatically. */
export function CodeField<V extends { code: string } & Record<string, unknown>>({
  form,
  autoFocus = true,
}: {
  form: Form<V>
  autoFocus?: boolean
}) {
  const t = useWords()
  return (
    <div className="a-code">
      <TextField
        {...(form as unknown as Form<{ code: string }>).field('code')}
        label={t('session.field.code')}
        ltr
        inputMode="numeric"
        autoComplete="one-time-code"
        max={7}
        autoFocus={autoFocus}
      />
    </div>
  )
}
