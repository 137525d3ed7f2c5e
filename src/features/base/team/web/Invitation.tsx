import { Link2Off } from 'lucide-react'
import { useState } from 'react'
import { logOut } from '#kit/web/session/account.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { mainPath } from '#kit/web/session/guard.ts'
import { go } from '#kit/web/routes/place.ts'
import { setSession, useSession } from '#kit/web/session/session.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { mySession } from '#features/base/session/endpoints.ts'
import { AccountFrame, useForm } from '#features/base/session/web/index.tsx'
import { acceptInvitation, joinInvitation, seeInvitation } from '../endpoints.ts'

type Seen = OutputOf<typeof seeInvitation>

/** Where the link of an invitation leads: who asks, and the one step that is left. */
export function Screen() {
  const t = useWords()
  const [token] = useState(() => {
    const key = location.hash.slice(1)
    // Out of the address at once: it is as good as a password, and addresses are kept in histories.
    if (key) history.replaceState(history.state, '', location.pathname + location.search)
    return key
  })
  const { data, error, isLoading } = useCall(
    seeInvitation,
    { token },
    { enabled: token.length >= 20, staleTime: Infinity },
  )
  if (isLoading)
    return (
      <AccountFrame title={t('screens.invitation')}>
        <Skeleton lines={4} />
      </AccountFrame>
    )
  if (!data)
    return (
      <AccountFrame title={t('screens.invitation')}>
        <EmptyState
          icon={Link2Off}
          title={t('team.accept.ended')}
          actions={<Button href="/login">{t('team.accept.toLogin')}</Button>}
        >
          {error && error.code !== 'team.linkEnded' ? failureText(t, error) : t('team.accept.endedText')}
        </EmptyState>
      </AccountFrame>
    )
  return (
    <AccountFrame
      title={t('team.accept.title', { business: data.company })}
      sub={t('team.accept.sub', { by: data.invitedBy, email: data.email })}
    >
      <Step token={token} of={data} />
    </AccountFrame>
  )
}

/** The whole page begins again in the business that was joined. */
function enter(session: OutputOf<typeof acceptInvitation>): void {
  setSession(session)
  go(mainPath(session), { replace: true })
}

function Step({ token, of }: { token: string; of: Seen }) {
  const session = useSession()
  const me = useCall(mySession, {}, { enabled: session !== undefined }).data
  if (session && me)
    return me.email === of.email ? (
      <AsMe token={token} name={me.FullName} />
    ) : (
      <Other name={me.FullName} email={of.email} />
    )
  return <Form token={token} of={of} />
}

function AsMe({ token, name }: { token: string; name: string }) {
  const t = useWords()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  return (
    <div className="a-form">
      {failure !== undefined && <Note tone="late">{failureText(t, failure)}</Note>}
      <Button
        kind="primary"
        size="l"
        wide
        busy={busy}
        onPress={() => {
          setBusy(true)
          call(joinInvitation, { token })
            .then(enter)
            .catch(setFailure)
            .finally(() => setBusy(false))
        }}
      >
        {t('team.accept.asMe', { name })}
      </Button>
    </div>
  )
}

function Other({ name, email }: { name: string; email: string }) {
  const t = useWords()
  return (
    <div className="a-form">
      <Note tone="wait">{t('team.accept.other', { name, email })}</Note>
      <Note>{t('errors.team.otherPerson')}</Note>
      <Button size="l" wide onPress={logOut}>
        {t('kit.shell.logOut')}
      </Button>
    </div>
  )
}

function Form({ token, of }: { token: string; of: Seen }) {
  const t = useWords()
  const { lang } = useLanguage()
  const { ref: formRef, ...form } = useForm(
    { fullName: of.fullName, password: '', code: '' },
    ({ fullName, password, code }) => ({
      fullName: !of.known && !fullName.trim() && 'errors.fields.need',
      password: !password
        ? 'errors.fields.need'
        : !of.known && password.length < 8 && 'errors.fields.password',
      code: of.factor && !code.trim() && 'errors.fields.need',
    }),
    async ({ fullName, password, code }) =>
      enter(
        await call(acceptInvitation, {
          token,
          password,
          ...(of.known ? {} : { fullName, language: lang }),
          ...(of.factor ? { code } : {}),
        }),
      ),
  )
  return (
    <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
      {form.rest && <Note tone="late">{form.rest}</Note>}
      {of.known ? (
        <Note>{t('team.accept.known')}</Note>
      ) : (
        <TextField
          {...form.field('fullName')}
          label={t('session.field.fullName')}
          max={120}
          autoComplete="name"
        />
      )}
      <PasswordField
        {...form.field('password')}
        label={t(of.known ? 'session.field.password' : 'session.field.choosePassword')}
        isNew={!of.known}
        autoFocus
      />
      {of.factor && (
        <TextField
          {...form.field('code')}
          label={t('session.field.code')}
          ltr
          autoComplete="one-time-code"
          max={40}
        />
      )}
      <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
        {t('team.accept.do')}
      </Button>
    </form>
  )
}
