import { useState } from 'react'
import { isUnlimited } from '#kit/describe/session.ts'
import { call, CallFailure } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { LanguageField } from '#kit/web/fields/SmallChoices.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { isEmail, useForm } from '#features/base/session/web/index.tsx'
import { inviteWorker } from '../endpoints.ts'
import type { Worker } from '../workers.ts'
import { refreshPeople } from './actions.tsx'
import { RightsEditor, draftOf, givenOf, type RightsDraft } from './RightsEditor.tsx'
import { RoleField, givenRole, type Role } from './RoleField.tsx'
import './team.css'

const nothing: RightsDraft = {
  ...draftOf({
    rules: [],
    docsAllow: [],
    hideTotalPrices: false,
    ownCustomersOnly: false,
    hideNavHeader: false,
    isActiveButton: true,
  }),
  limited: true,
}

interface Values extends Record<string, unknown> {
  fullName: string
  email: string
  job: string
  language: Worker['language'] | null
  typeId: '9' | '4'
  subTypeId: '0' | '1' | '2'
}

/** A new person: identity and rights. The rest the person completes by the link. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const session = useSession()
  const [role, setRole] = useState<Role | null>(null)
  const [rights, setRights] = useState<RightsDraft>(nothing)
  const [everything, setEverything] = useState(false)
  const [asks, setAsks] = useState(false)
  const isOwner = isUnlimited(session?.rules ?? [-2])
  const send = async (values: Values, said = everything) => {
    const owner = values.typeId === '4'
    const own = role === 'own' ? givenOf(rights) : undefined
    const { email, fullName, job, language, subTypeId } = values
    const what = owner ? { rules: [] } : own ? { ...own, ruleId: 0 } : role ? givenRole(role) : {}
    try {
      await call(inviteWorker, {
        email,
        fullName,
        job,
        language: language ?? lang,
        typeId: owner ? 4 : 9,
        ...(owner || (subTypeId === '0' && role?.startsWith('starter:'))
          ? {}
          : { subTypeId: Number(subTypeId) as 0 | 1 | 2 }),
        ...what,
        ...(said ? { everything: true } : {}),
      })
    } catch (e) {
      if (e instanceof CallFailure && e.errors.some(({ code }) => code === 'team.clearPermissions'))
        return setAsks(true)
      throw e
    }
    await refreshPeople()
    banner.success(t('team.done.invited', { email }))
    go('/invoice/workers')
  }
  const { ref: formRef, ...form } = useForm<Values>(
    { fullName: '', email: '', job: '', language: lang, typeId: '9', subTypeId: '0' },
    ({ fullName, email }) => ({
      fullName: !fullName.trim() && 'errors.fields.need',
      email: !email.trim() ? 'errors.fields.need' : !isEmail(email) && 'errors.fields.email',
    }),
    (values) => send(values),
  )
  const { values } = form
  const missing = values.typeId === '9' && (role === null || (role === 'own' && !givenOf(rights)))
  return (
    <>
      <PageHeader
        title={t('screens.newWorker')}
        crumbs={[{ label: t('screens.workers'), href: '/invoice/workers' }]}
      />
      <form className="tm-form" ref={formRef} onSubmit={form.submit} noValidate>
        {form.rest && <Note tone="late">{form.rest}</Note>}
        <Card title={t('team.form.who')}>
          <div className="tm-pair">
            <TextField {...form.field('fullName')} label={t('workers.fields.name')} max={120} autoFocus />
            <EmailField
              {...form.field('email')}
              label={t('workers.fields.email')}
              hint={t('team.form.emailHint')}
            />
            <TextField {...form.field('job')} label={t('workers.fields.job')} max={80} optional />
            <LanguageField {...form.field('language')} label={t('team.form.language')} />
          </div>
        </Card>
        <Card title={t('team.rights.role')}>
          <div className="tm-stack">
            {isOwner && (
              <ChoiceField
                {...form.field('typeId')}
                onChange={(typeId) => form.set({ typeId: typeId ?? '9' })}
                label={t('workers.fields.typeId')}
                choices={[
                  { value: '9', label: t('team.type.9') },
                  { value: '4', label: t('team.type.4') },
                ]}
                {...(values.typeId === '4' ? { hint: t('team.form.typeHint') } : {})}
              />
            )}
            {values.typeId === '9' && (
              <>
                <RoleField value={role} onChange={setRole} />
                <ChoiceField
                  {...form.field('subTypeId')}
                  onChange={(subTypeId) => form.set({ subTypeId: subTypeId ?? '0' })}
                  label={t('workers.fields.subTypeId')}
                  choices={(['0', '1', '2'] as const).map((value) => ({
                    value,
                    label: t(`team.subType.${value}`),
                  }))}
                />
              </>
            )}
          </div>
        </Card>
        {values.typeId === '9' && role === 'own' && <RightsEditor value={rights} onChange={setRights} />}
        <div className="tm-save">
          <Button
            kind="primary"
            type="submit"
            busy={form.busy}
            {...(missing ? { blocked: t(role === 'own' ? 'team.rights.needOne' : 'team.sets.choose') } : {})}
          >
            {t('team.actions.invite')}
          </Button>
          <Button kind="quiet" href="/invoice/workers">
            {t('kit.actions.back')}
          </Button>
          {missing && (
            <span className="hint" aria-hidden>
              {t(role === 'own' ? 'team.rights.needOne' : 'team.sets.choose')}
            </span>
          )}
        </div>
      </form>
      <Question
        isOpen={asks}
        danger
        onClose={() => setAsks(false)}
        title={t('team.ask.everything')}
        verb={t('team.ask.everythingDo')}
        onConfirm={async () => {
          setEverything(true)
          await send(values, true)
        }}
      >
        {t('errors.team.clearPermissions')}
      </Question>
    </>
  )
}
