import { useState } from 'react'
import { call, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { go, wanted } from '#kit/web/routes/place.ts'
import { useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { AccountFrame } from '#features/base/session/web/index.tsx'
import { acceptInvite, seeInvite, type EngagementRight } from '../endpoints.ts'
import { RightTicks } from './Manager.tsx'
import './practice.css'

/** The key behind '#', which browsers never send to a server. */
const keyHere = () => /^#([\w-]{20,})$/.exec(location.hash)?.[1] ?? ''

/** The request of an office to the owner of a business, and the owner's answer. */
export function Screen() {
  const t = useWords()
  const session = useSession()
  const [token] = useState(keyHere)
  const { data, error } = useCall(seeInvite, { token }, { enabled: token !== '', staleTime: 60_000 })
  if (!token || error)
    return (
      <AccountFrame title={t('practice.invitation.over')} sub={t('practice.invitation.overText')}>
        <Button href="/login">{t('practice.invitation.on')}</Button>
      </AccountFrame>
    )
  if (!data)
    return (
      <AccountFrame title={t('screens.officeInvitation')}>
        <Skeleton lines={4} />
      </AccountFrame>
    )
  return (
    <AccountFrame
      title={t('practice.invitation.title', { office: data.office })}
      sub={t('practice.invitation.sub', { by: data.by })}
    >
      {session ? (
        <Agree token={token} asked={data.rights} business={session.Name} />
      ) : (
        <>
          <Note>{t('practice.invitation.logIn')}</Note>
          <Button
            kind="primary"
            size="l"
            wide
            onPress={() => {
              wanted.href = `/officeinvitation#${token}`
              go('/logininvoice')
            }}
          >
            {t('session.logIn.do')}
          </Button>
          <Button
            size="l"
            wide
            onPress={() => {
              wanted.href = `/officeinvitation#${token}`
              go('/signupinvoice')
            }}
          >
            {t('session.signUp.word')}
          </Button>
        </>
      )}
    </AccountFrame>
  )
}

function Agree({ token, asked, business }: { token: string; asked: EngagementRight[]; business: string }) {
  const t = useWords()
  const [rights, setRights] = useState(asked)
  const { busy, rest, run, place } = useAction([], async () => {
    await call(acceptInvite, { token, rights })
    banner.success(t('practice.invitation.done'))
    go('/invoice/cpauser')
  })
  return (
    <form ref={place} onSubmit={run} noValidate className="a-form">
      {rest && <Note tone="late">{rest}</Note>}
      <Note>
        {t('practice.invitation.for')} <bdi>{business}</bdi>
      </Note>
      <RightTicks value={rights} onChange={setRights} />
      <Button kind="primary" type="submit" size="l" wide busy={busy}>
        {t('practice.agree')}
      </Button>
    </form>
  )
}
