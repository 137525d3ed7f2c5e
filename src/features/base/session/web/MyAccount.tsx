import { Copy, Laptop, Printer, Smartphone } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { formatMoment } from '#domain/format.ts'
import { call, keyOf, useCall, useFailureText, useSend } from '#kit/web/call.ts'
import { PhoneField } from '#kit/web/fields/ContactFields.tsx'
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
import { session, setSession } from '#kit/web/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { changeLanguage } from '#kit/web/wording.ts'
import { useLanguage, useWords, type Language } from '#kit/web/words.tsx'
import {
  askReset,
  changeMe,
  changePassword,
  confirmFactor,
  dropFactor,
  endSession,
  listSessions,
  makeAutoLogin,
  mySession,
  recoveryCodes,
  renewRecoveryCodes,
  startFactor,
} from '../endpoints.ts'
import { WayIn } from './WayIn.tsx'
import { CodeField, codeFault } from './CodeForms.tsx'
import { isPhone, useForm } from './useForm.ts'
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
      {me.data ? (
        <div className="a-cards">
          <Details
            fullName={me.data.FullName}
            phone={me.data.phone}
            language={me.data.language as Language}
          />
          {me.data.hasPassword ? <Password /> : <NoPassword email={me.data.email} />}
          <Factor isOn={me.data.factor} hasPassword={me.data.hasPassword} />
          <Elsewhere />
          <Sessions />
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

function Details({ fullName, phone, language }: { fullName: string; phone: string; language: Language }) {
  const t = useWords()
  const client = useQueryClient()
  const form = useForm(
    { fullName, phone, language: language as Language | null },
    (v) => ({
      fullName: !v.fullName.trim() && 'errors.fields.need',
      phone: v.phone.trim() !== '' && !isPhone(v.phone) && 'errors.fields.phone',
    }),
    async (v) => {
      await call(changeMe, {
        fullName: v.fullName.trim(),
        phone: v.phone.trim(),
        ...(v.language ? { language: v.language } : {}),
      })
      await client.invalidateQueries({ queryKey: keyOf(mySession) })
      const held = session()
      if (held) setSession({ ...held, FullName: v.fullName.trim() })
      if (v.language) await changeLanguage(v.language).catch(() => undefined)
      banner.success(t('session.me.saved'))
    },
  )
  return (
    <Card title={t('session.me.details')}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
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
    </Card>
  )
}

function Password() {
  const t = useWords()
  const client = useQueryClient()
  const form = useForm(
    { current: '', password: '' },
    (v) => ({
      current: !v.current && 'errors.fields.need',
      password: !v.password ? 'errors.fields.need' : v.password.length < 8 && 'errors.fields.password',
    }),
    async (v) => {
      await call(changePassword, v)
      form.set({ current: '', password: '' })
      await client.invalidateQueries({ queryKey: keyOf(listSessions) })
      banner.success(t('session.me.passwordDone'))
    },
  )
  return (
    <Card title={t('session.me.password')}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        {form.rest && <Note tone="late">{form.rest}</Note>}
        <div className="a-pair">
          <PasswordField {...form.field('current')} label={t('session.field.currentPassword')} />
          <PasswordField {...form.field('password')} label={t('session.field.newPassword')} isNew />
        </div>
        <div>
          <Button type="submit" busy={form.busy}>
            {t('session.me.passwordDo')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** Who signed up with Google chooses a password as whoever forgot his: by a link in the mail, which proves that the address is his. */
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
  const prove = useForm(
    { password: '' },
    (v) => ({ password: !v.password && 'errors.fields.need' }),
    async (v) => {
      if (asks === 'codes') {
        setShown((await call(renewRecoveryCodes, v)).codes)
        await refresh()
      } else if (isOn) {
        await call(dropFactor, v)
        await refresh()
        banner.success(t('session.me.factorOff'))
      } else setBegun(await call(startFactor, v))
      setAsks(undefined)
      prove.set({ password: '' })
    },
  )
  const confirm = useForm(
    { code: '' },
    (v) => ({ code: codeFault(v.code) }),
    async (v) => {
      const { codes } = await call(confirmFactor, { code: v.code.replace(/\s/g, '') })
      await refresh()
      setShown(codes)
      setBegun(undefined)
      confirm.set({ code: '' })
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
        <form ref={confirm.ref} onSubmit={confirm.submit} noValidate>
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
        <form ref={prove.ref} onSubmit={prove.submit} noValidate>
          {prove.rest && <Note tone="late">{prove.rest}</Note>}
          <PasswordField {...prove.field('password')} label={t('session.field.currentPassword')} autoFocus />
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

/** The way onto another device of one's own, without typing a password there. */
function Elsewhere() {
  const t = useWords()
  const [into, setInto] = useState<'browser' | 'app'>()
  return (
    <Card title={t('session.wayIn.title')}>
      <p className="sub">{t('session.wayIn.text')}</p>
      <div className="flex flex-wrap gap-2">
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
            <div key={one.id} className="a-session">
              <Icon
                of={/Mobile|Android|iPhone/.test(one.agent) ? Smartphone : Laptop}
                className="text-ink-3"
              />
              <span className="grow">
                <span className="cut" title={one.agent}>
                  <bdi>{agentName(one.agent) || t('session.me.unknownAgent')}</bdi>
                </span>
                <span className="hint text-12">
                  <bdi className="num">{one.address}</bdi> · {t('session.me.used')}{' '}
                  <bdi className="num">{formatMoment(new Date(one.usedAt))}</bdi>
                  {one.way === 'link' && <> · {t('session.me.byLink')}</>}
                </span>
              </span>
              {one.current ? (
                <StatusPill tone="done">{t('session.me.thisOne')}</StatusPill>
              ) : (
                <Button
                  size="s"
                  busy={end.isPending && end.variables.id === one.id}
                  onPress={() => end.mutate({ id: one.id })}
                >
                  {t('session.me.end')}
                </Button>
              )}
            </div>
          ))}
        </Rows>
      ) : (
        <Skeleton lines={2} />
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
