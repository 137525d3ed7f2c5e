import { Copy, Laptop, Printer, Smartphone } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { formatMoment } from '#domain/format.ts'
import { phoneKey } from '#domain/phone.ts'
import { CallFailure, call, keyOf, useCall, useFailureText, useSend } from '#kit/web/calls/call.ts'
import { EmailField, PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { LanguageField } from '#kit/web/fields/SmallChoices.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Qr } from '#kit/web/parts/Qr.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { session, setSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { changeLanguage } from '#kit/web/words/wording.ts'
import { useLanguage, useWords, type Language } from '#kit/web/words/words.tsx'
import {
  askReset,
  changeEmail,
  changeMe,
  changePassword,
  confirmFactor,
  dropFactor,
  endSession,
  forgetDevice,
  listDevices,
  listSessions,
  makeAutoLogin,
  mySession,
  recoveryCodes,
  renewRecoveryCodes,
  startFactor,
} from '../endpoints.ts'
import { WayIn } from './WayIn.tsx'
import { CodeField, codeFault } from './CodeForms.tsx'
import { VerifyCode } from './VerifyCode.tsx'
import { isEmail, isPhone, useForm, type Form } from './useForm.ts'
import './account.css'

/** My account: who I am here, my password, my second factor, and where I am logged in. */
export function Screen() {
  const t = useWords()
  const said = useFailureText()
  const me = useCall(mySession, {})
  return (
    <>
      <PageHeader
        title={t('screens.account')}
        {...(me.data ? { sub: <bdi className="num">{me.data.email}</bdi> } : {})}
      />
      {me.data?.mustSetFactor && (
        <Note tone="wait">{t('session.me.factorRequired', { business: me.data.Name })}</Note>
      )}
      {me.data ? (
        <div className="a-cards">
          <Details
            fullName={me.data.FullName}
            phone={me.data.phone}
            phoneVerified={me.data.phoneVerified}
            language={me.data.language as Language}
            hasPassword={me.data.hasPassword}
            hasFactor={me.data.factor}
          />
          <Email
            email={me.data.email}
            isVerified={me.data.emailVerified}
            hasPassword={me.data.hasPassword}
            hasFactor={me.data.factor}
          />
          {me.data.hasPassword ? (
            <Password hasFactor={me.data.factor} />
          ) : (
            <NoPassword email={me.data.email} />
          )}
          <Factor isOn={me.data.factor} hasPassword={me.data.hasPassword} />
          <Elsewhere />
          <Sessions />
          <Devices />
        </div>
      ) : me.error ? (
        <EmptyState
          icon={Laptop}
          title={said(me.error)}
          actions={<Button onPress={() => void me.refetch()}>{t('kit.actions.retry')}</Button>}
        />
      ) : (
        <Skeleton lines={6} />
      )}
    </>
  )
}

type Proof = { password: string; authCode: string }

/** What the owner of the account proves a change with: the password, and the code of the second factor where it is on. */
function ProofFields<V extends Proof & Record<string, unknown>>({
  form,
  hasFactor,
  autoFocus = false,
}: {
  form: Form<V>
  hasFactor: boolean
  autoFocus?: boolean
}) {
  const t = useWords()
  const { field } = form as unknown as Form<Proof & Record<string, unknown>>
  return (
    <div className="a-pair">
      <PasswordField
        {...field('password')}
        label={t('session.field.currentPassword')}
        {...(autoFocus ? { autoFocus } : {})}
      />
      {hasFactor && <AuthCodeField {...field('authCode')} />}
    </div>
  )
}

function AuthCodeField(props: {
  name: string
  value: string
  onChange: (value: string) => void
  error?: string
}) {
  const t = useWords()
  return (
    <TextField {...props} label={t('session.field.authCode')} ltr autoComplete="one-time-code" max={40} />
  )
}

const proofFaults = ({ password, authCode }: Proof, hasFactor: boolean) => ({
  password: !password && 'errors.fields.need',
  authCode: hasFactor && !authCode.trim() && 'errors.fields.need',
})

const proofGiven = ({ password, authCode }: Proof) => ({
  password,
  ...(authCode.trim() ? { code: authCode.trim() } : {}),
})

/** Refusals of the code find its field, which the server calls by the name of the call. */
const atAuthCode = async <T,>(send: Promise<T>): Promise<T> => {
  try {
    return await send
  } catch (e) {
    if (e instanceof CallFailure)
      for (const error of e.errors) if (error.path === 'code') error.path = 'authCode'
    throw e
  }
}

const noProof: Proof = { password: '', authCode: '' }

function Details({
  fullName,
  phone,
  phoneVerified,
  language,
  hasPassword,
  hasFactor,
}: {
  fullName: string
  phone: string
  phoneVerified: boolean
  language: Language
  hasPassword: boolean
  hasFactor: boolean
}) {
  const t = useWords()
  const client = useQueryClient()
  /** The phone that a code was sent to just now. */
  const [sentTo, setSentTo] = useState<string>()
  const isNewPhone = (v: { phone: string }) => phoneKey(v.phone) !== phoneKey(phone)
  const { ref: formRef, ...form } = useForm(
    { fullName, phone, language: language as Language | null, ...noProof },
    (v) => ({
      fullName: !v.fullName.trim() && 'errors.fields.need',
      phone: v.phone.trim() !== '' && !isPhone(v.phone) && 'errors.fields.phone',
      ...(isNewPhone(v) ? proofFaults(v, hasFactor) : {}),
    }),
    async (v, set) => {
      await atAuthCode(
        call(changeMe, {
          fullName: v.fullName.trim(),
          phone: v.phone.trim(),
          ...(v.language ? { language: v.language } : {}),
          ...(isNewPhone(v) ? proofGiven(v) : {}),
        }),
      )
      if (isNewPhone(v)) setSentTo(v.phone.trim())
      set(noProof)
      await client.invalidateQueries({ queryKey: keyOf(mySession) })
      const held = session()
      if (held) setSession({ ...held, FullName: v.fullName.trim() })
      if (v.language) await changeLanguage(v.language).catch(() => undefined)
      banner.success(t('session.me.saved'))
    },
  )
  return (
    <Card title={t('session.me.details')}>
      <form ref={formRef} onSubmit={form.submit} noValidate>
        {form.rest && <Note tone="late">{form.rest}</Note>}
        <div className="a-pair">
          <TextField
            {...form.field('fullName')}
            label={t('session.field.fullName')}
            autoComplete="name"
            max={120}
          />
          <PhoneField {...form.field('phone')} label={t('session.field.phone')} optional />
        </div>
        {isNewPhone(form.values) && (
          <>
            <p className="hint">{t(hasPassword ? 'session.me.phoneProof' : 'session.me.passwordFirst')}</p>
            {hasPassword && <ProofFields form={form} hasFactor={hasFactor} />}
          </>
        )}
        <LanguageField
          {...form.field('language')}
          label={t('session.field.language')}
          hint={t('session.me.languageHint')}
        />
        <div>
          <Button kind="primary" type="submit" busy={form.busy}>
            {t('session.me.save')}
          </Button>
        </div>
      </form>
      {phone && !phoneVerified && (
        <div className="mt-4 grid gap-4">
          <Note tone="wait">{t('session.me.unverifiedPhone')}</Note>
          <VerifyCode key={phone} what="phone" isSent={sentTo === phone} />
        </div>
      )}
    </Card>
  )
}

/** The address one signs in with: whether it is verified, and the way to another one. */
function Email({
  email,
  isVerified,
  hasPassword,
  hasFactor,
}: {
  email: string
  isVerified: boolean
  hasPassword: boolean
  hasFactor: boolean
}) {
  const t = useWords()
  const [isChanging, setChanging] = useState(false)
  const [sentTo, setSentTo] = useState<string>()
  const { ref: formRef, ...form } = useForm(
    { email: '', ...noProof },
    (v) => ({
      email: !v.email.trim() ? 'errors.fields.need' : !isEmail(v.email) && 'errors.fields.email',
      ...proofFaults(v, hasFactor),
    }),
    async (v, set) => {
      await atAuthCode(call(changeEmail, { email: v.email.trim(), ...proofGiven(v) }))
      setSentTo(v.email.trim())
      set({ email: '', ...noProof })
    },
  )
  const end = () => {
    setChanging(false)
    setSentTo(undefined)
  }
  return (
    <Card
      title={t('session.me.email')}
      end={
        <StatusPill tone={isVerified ? 'done' : 'wait'}>
          {t(isVerified ? 'session.me.verified' : 'session.me.unverified')}
        </StatusPill>
      }
    >
      <div className="grid gap-4">
        <p>
          <bdi className="num">{email}</bdi>
        </p>
        {sentTo !== undefined ? (
          <>
            <p className="sub">{t('session.verify.strip', { email: sentTo })}</p>
            <VerifyCode what="email" isNew autoFocus onDone={end} />
          </>
        ) : isChanging ? (
          <form ref={formRef} onSubmit={form.submit} noValidate>
            {form.rest && <Note tone="late">{form.rest}</Note>}
            <EmailField
              {...form.field('email')}
              label={t('session.me.newEmail')}
              hint={t('session.me.emailHint')}
              autoFocus
            />
            <ProofFields form={form} hasFactor={hasFactor} />
            <div className="flex flex-wrap gap-2">
              <Button kind="primary" type="submit" busy={form.busy}>
                {t('session.me.sendCode')}
              </Button>
              <Button kind="quiet" onPress={end}>
                {t('kit.actions.back')}
              </Button>
            </div>
          </form>
        ) : (
          <>
            {!isVerified && <VerifyCode what="email" isSent={false} />}
            <div>
              <Button
                onPress={() => setChanging(true)}
                {...(hasPassword ? {} : { blocked: t('session.me.passwordFirst') })}
              >
                {t('session.me.changeEmail')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

function Password({ hasFactor }: { hasFactor: boolean }) {
  const t = useWords()
  const client = useQueryClient()
  const { ref: formRef, ...form } = useForm(
    { current: '', password: '', authCode: '', endKeys: false },
    (v) => ({
      current: !v.current && 'errors.fields.need',
      password: !v.password ? 'errors.fields.need' : v.password.length < 8 && 'errors.fields.password',
      authCode: hasFactor && !v.authCode.trim() && 'errors.fields.need',
    }),
    async ({ authCode, ...v }, set) => {
      await atAuthCode(call(changePassword, { ...v, ...(authCode.trim() ? { code: authCode.trim() } : {}) }))
      set({ current: '', password: '', authCode: '', endKeys: false })
      await client.invalidateQueries({ queryKey: keyOf(listSessions) })
      banner.success(t('session.me.passwordDone'))
    },
  )
  return (
    <Card title={t('session.me.password')}>
      <form ref={formRef} onSubmit={form.submit} noValidate>
        {form.rest && <Note tone="late">{form.rest}</Note>}
        <div className="a-pair">
          <PasswordField {...form.field('current')} label={t('session.field.currentPassword')} />
          <PasswordField {...form.field('password')} label={t('session.field.newPassword')} isNew />
        </div>
        {hasFactor && <AuthCodeField {...form.field('authCode')} />}
        <FlagField {...form.field('endKeys')} label={t('session.me.endKeys')} />
        <div>
          <Button type="submit" busy={form.busy}>
            {t('session.me.passwordDo')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/**
 * A person who signed up with Google chooses a password like one who forgot it: by an emailed link, which proves
 * that the address is theirs.
 */
function NoPassword({ email }: { email: string }) {
  const t = useWords()
  const { lang } = useLanguage()
  const said = useFailureText()
  const ask = useSend(askReset)
  return (
    <Card title={t('session.me.password')}>
      <div className="grid gap-4">
        <p className="sub">{t('session.me.noPassword')}</p>
        <div>
          <Button
            busy={ask.isPending}
            onPress={() =>
              ask.mutate(
                { email, language: lang },
                {
                  onSuccess: () => banner.success(t('session.reset.sentText', { email }), 8000),
                  onError: (e) => banner.error(said(e)),
                },
              )
            }
          >
            {t('session.reset.do')}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** On or off, always behind the password: a page left open must not lower the guard. */
function Factor({ isOn, hasPassword }: { isOn: boolean; hasPassword: boolean }) {
  const t = useWords()
  const client = useQueryClient()
  const [begun, setBegun] = useState<{ secret: string; uri: string }>()
  const [asks, setAsks] = useState<'factor' | 'codes'>()
  /** Recovery codes that were just given. */
  const [shown, setShown] = useState<string[]>()
  const left = useCall(recoveryCodes, {}, { enabled: isOn, staleTime: 0 })
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: keyOf(mySession) })
    await client.invalidateQueries({ queryKey: keyOf(recoveryCodes) })
  }
  const { ref: proveRef, ...prove } = useForm(
    noProof,
    (v) => proofFaults(v, isOn),
    async (v, set) => {
      const given = proofGiven(v)
      if (asks === 'codes') {
        setShown((await atAuthCode(call(renewRecoveryCodes, given))).codes)
        await refresh()
      } else if (isOn) {
        await atAuthCode(call(dropFactor, given))
        await refresh()
        banner.success(t('session.me.factorOff'))
      } else setBegun(await atAuthCode(call(startFactor, given)))
      setAsks(undefined)
      set(noProof)
    },
  )
  const { ref: confirmRef, ...confirm } = useForm(
    { code: '' },
    (v) => ({ code: codeFault(v.code) }),
    async (v, set) => {
      const { codes } = await call(confirmFactor, { code: v.code.replace(/\s/g, '') })
      const held = session()
      if (held?.mustSetFactor) setSession({ ...held, mustSetFactor: false })
      await refresh()
      setShown(codes)
      setBegun(undefined)
      set({ code: '' })
      banner.success(t('session.me.factorOn'))
    },
  )
  return (
    <Card
      title={t('session.me.factor')}
      end={
        <StatusPill tone={isOn ? 'done' : 'plain'}>{t(isOn ? 'session.me.on' : 'session.me.off')}</StatusPill>
      }
    >
      {shown ? (
        <RecoveryCodes codes={shown} onKept={() => setShown(undefined)} />
      ) : begun ? (
        <form ref={confirmRef} onSubmit={confirm.submit} noValidate>
          <div className="a-factor">
            <Qr text={begun.uri} label={t('session.me.qr')} />
            <div className="grow">
              <p className="sub">{t('session.me.scan')}</p>
              <p>
                <span className="hint">{t('session.me.byHand')}</span>{' '}
                <bdi className="num">{begun.secret.replace(/(.{4})/g, '$1 ').trim()}</bdi>
              </p>
              {confirm.rest && <Note tone="late">{confirm.rest}</Note>}
              <CodeField form={confirm} />
              <div className="flex flex-wrap gap-2">
                <Button kind="primary" type="submit" busy={confirm.busy}>
                  {t('session.me.factorConfirm')}
                </Button>
                <Button kind="quiet" onPress={() => setBegun(undefined)}>
                  {t('kit.actions.back')}
                </Button>
              </div>
            </div>
          </div>
        </form>
      ) : asks ? (
        <form ref={proveRef} onSubmit={prove.submit} noValidate>
          {prove.rest && <Note tone="late">{prove.rest}</Note>}
          <ProofFields form={prove} hasFactor={isOn} autoFocus />
          <div className="flex flex-wrap gap-2">
            <Button kind={isOn && asks === 'factor' ? 'danger' : 'primary'} type="submit" busy={prove.busy}>
              {t(
                asks === 'codes'
                  ? 'session.recovery.renew'
                  : isOn
                    ? 'session.me.factorDrop'
                    : 'session.me.factorStart',
              )}
            </Button>
            <Button kind="quiet" onPress={() => setAsks(undefined)}>
              {t('kit.actions.back')}
            </Button>
          </div>
        </form>
      ) : (
        <div className="grid gap-4">
          <p className="sub">{t('session.me.factorText')}</p>
          {isOn && left.data && (
            <Note tone={left.data.left < 3 ? 'wait' : 'info'}>
              {t('session.recovery.left', { count: left.data.left })}
            </Note>
          )}
          <div className="flex flex-wrap gap-2">
            {isOn && <Button onPress={() => setAsks('codes')}>{t('session.recovery.renew')}</Button>}
            <Button
              onPress={() => setAsks('factor')}
              {...(hasPassword ? {} : { blocked: t('session.me.passwordFirst') })}
            >
              {t(isOn ? 'session.me.factorDrop' : 'session.me.factorStart')}
            </Button>
          </div>
          {!hasPassword && <p className="hint">{t('session.me.passwordFirst')}</p>}
        </div>
      )}
    </Card>
  )
}

/** The codes, this once: to be copied, or printed and put away. */
function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const t = useWords()
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => banner.success(t('session.recovery.copied')),
      () => banner.error(t('session.recovery.notCopied')),
    )
  return (
    <div className="grid gap-4">
      <p className="sub">{t('session.recovery.text')}</p>
      <ol className="a-codes" aria-label={t('session.recovery.title')}>
        {codes.map((code) => (
          <li key={code}>
            <bdi className="num">{code}</bdi>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" onPress={onKept}>
          {t('session.recovery.kept')}
        </Button>
        <Button icon={Copy} onPress={() => void copy()}>
          {t('session.recovery.copy')}
        </Button>
        <Button icon={Printer} onPress={() => window.print()}>
          {t('session.recovery.print')}
        </Button>
      </div>
    </div>
  )
}

/** Logs another device of the same person in, without typing a password there. */
function Elsewhere() {
  const t = useWords()
  const [into, setInto] = useState<'browser' | 'app'>()
  return (
    <Card title={t('session.wayIn.title')}>
      <p className="sub">{t('session.wayIn.text')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button icon={Laptop} onPress={() => setInto('browser')}>
          {t('session.wayIn.browser')}
        </Button>
        <Button icon={Smartphone} onPress={() => setInto('app')}>
          {t('session.wayIn.app')}
        </Button>
      </div>
      {into && (
        <WayIn
          title={t(`session.wayIn.${into}`)}
          text={t('session.wayIn.how')}
          make={() => call(makeAutoLogin, { into })}
          onClose={() => setInto(undefined)}
        />
      )}
    </Card>
  )
}

/** A browser that is logged in, or was. */
function DeviceRow({
  one,
  more,
  action,
}: {
  one: { address: string; agent: string; usedAt: string; current: boolean }
  more?: string | undefined
  action: React.ReactNode
}) {
  const t = useWords()
  return (
    <div className="a-session">
      <Icon of={/Mobile|Android|iPhone/.test(one.agent) ? Smartphone : Laptop} className="text-ink-3" />
      <span className="grow">
        <span className="cut" title={one.agent}>
          <bdi>{agentName(one.agent) || t('session.me.unknownAgent')}</bdi>
        </span>
        <span className="hint text-12">
          <bdi className="num">{one.address}</bdi> · {t('session.me.used')}{' '}
          <bdi className="num">{formatMoment(new Date(one.usedAt))}</bdi>
          {more && <> · {more}</>}
        </span>
      </span>
      {action}
    </div>
  )
}

function Sessions() {
  const t = useWords()
  const said = useFailureText()
  const list = useCall(listSessions, {})
  const end = useSend(endSession, { refresh: [listSessions] })
  useEffect(() => {
    if (end.error) banner.error(said(end.error))
  }, [end.error, said])
  return (
    <Card title={t('session.me.sessions')} hint={t('session.me.sessionsHint')}>
      {list.data ? (
        <Rows label={t('session.me.sessions')}>
          {list.data.rows.map((one) => (
            <DeviceRow
              key={one.id}
              one={one}
              more={one.way === 'link' ? t('session.me.byLink') : undefined}
              action={
                one.current ? (
                  <StatusPill tone="done">{t('session.me.thisOne')}</StatusPill>
                ) : (
                  <Button
                    size="s"
                    busy={end.isPending && end.variables.id === one.id}
                    onPress={() => end.mutate({ id: one.id })}
                  >
                    {t('session.me.end')}
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      ) : (
        <Skeleton lines={2} />
      )}
    </Card>
  )
}

/** Devices from which a log-in is not announced; one that is forgotten is announced again. */
function Devices() {
  const t = useWords()
  const said = useFailureText()
  const list = useCall(listDevices, {})
  const forget = useSend(forgetDevice, {
    refresh: [listDevices],
    onSuccess: () => banner.success(t('session.me.deviceForgotten')),
  })
  useEffect(() => {
    if (forget.error) banner.error(said(forget.error))
  }, [forget.error, said])
  return (
    <Card title={t('session.me.devices')} hint={t('session.me.devicesHint')}>
      {!list.data ? (
        <Skeleton lines={2} />
      ) : list.data.rows.length === 0 ? (
        <p className="sub">{t('session.me.noDevices')}</p>
      ) : (
        <Rows label={t('session.me.devices')}>
          {list.data.rows.map((one) => (
            <DeviceRow
              key={one.id}
              one={one}
              more={one.current ? t('session.me.thisOne') : undefined}
              action={
                <Button
                  size="s"
                  busy={forget.isPending && forget.variables.id === one.id}
                  onPress={() => forget.mutate({ id: one.id })}
                >
                  {t('session.me.forget')}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
    </Card>
  )
}

/** 'Firefox · Windows' out of a browser's long name. */
function agentName(agent: string): string {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /OPR\//.test(agent)
      ? 'Opera'
      : /Firefox\//.test(agent)
        ? 'Firefox'
        : /Chrome\//.test(agent)
          ? 'Chrome'
          : /Safari\//.test(agent)
            ? 'Safari'
            : ''
  const system = /Android/.test(agent)
    ? 'Android'
    : /iPhone|iPad/.test(agent)
      ? 'iOS'
      : /Windows/.test(agent)
        ? 'Windows'
        : /Mac OS/.test(agent)
          ? 'macOS'
          : /Linux/.test(agent)
            ? 'Linux'
            : ''
  return [browser, system].filter(Boolean).join(' · ') || agent.slice(0, 60)
}
