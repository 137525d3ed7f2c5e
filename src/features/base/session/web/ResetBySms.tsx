import { useState } from 'react'
import { call } from '#kit/web/calls/call.ts'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { askSmsCode, useSmsCode as spendSmsCode } from '../endpoints.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { AskCode, CodeField, codeFault } from './CodeForms.tsx'
import { useForm } from './useForm.ts'

/** A forgotten password, by a code to the phone. */
export function Screen() {
  const t = useWords()
  const [phone, setPhone] = useState<string>()
  const other = {
    ask: t('session.reset.remembered'),
    word: t('session.logIn.do'),
    href: `/login${location.search}`,
  }
  return phone ? (
    <AccountFrame
      title={t('session.reset.smsSent')}
      sub={t('session.reset.smsSentText', { phone })}
      other={other}
    >
      <Choose phone={phone} onBack={() => setPhone(undefined)} />
    </AccountFrame>
  ) : (
    <AccountFrame title={t('session.reset.smsTitle')} sub={t('session.reset.smsSub')} other={other}>
      <AskCode by={askSmsCode} onSent={setPhone} />
    </AccountFrame>
  )
}

function Choose({ phone, onBack }: { phone: string; onBack: () => void }) {
  const t = useWords()
  const { ref: formRef, ...form } = useForm(
    { code: '', password: '' },
    ({ code, password }) => ({
      code: codeFault(code),
      password: !password ? 'errors.fields.need' : password.length < 8 && 'errors.fields.password',
    }),
    async ({ code, password }) => {
      await call(spendSmsCode, { phone, code: code.replace(/\s/g, ''), password })
      banner.success(t('session.reset.done'), 8000)
      go('/login', { replace: true })
    },
  )
  return (
    <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
      {form.rest && <Note tone="late">{form.rest}</Note>}
      <CodeField form={form} />
      <PasswordField {...form.field('password')} label={t('session.field.newPassword')} isNew />
      <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
        {t('session.reset.save')}
      </Button>
      <Button kind="quiet" wide onPress={onBack}>
        {t('session.reset.anotherPhone')}
      </Button>
    </form>
  )
}
