import { Ban, Mail, ShieldCheck, UserMinus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { call, failureText, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { Question } from '#kit/web/parts/Dialog.tsx'
import type { MenuEntry } from '#kit/web/parts/Menu.tsx'
import { callsOf, refreshResource } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { blockWorker, listSets, removeWorker, resendInvitation, unblockWorker } from '../endpoints.ts'
import { workers, type Worker } from '../workers.ts'
import { LeavesOf } from './LeavesOf.tsx'

/** Lists and cards of people are asked again, and the sets that count them. */
export async function refreshPeople(): Promise<void> {
  await Promise.all([
    refreshResource(workers as never),
    queryClient.invalidateQueries({ queryKey: keyOf(listSets) }),
  ])
}

type Asked = { deed: 'block' | 'remove' | 'revoke'; who: Worker }

async function run(t: Words, word: string, who: Worker, deed: () => Promise<unknown>): Promise<void> {
  try {
    await deed()
    await refreshPeople()
    banner.success(t(`team.done.${word}`, { name: who.name, email: who.email }))
  } catch (e) {
    banner.error(failureText(t, e))
  }
}

/** What can be done about a person, as lines of a menu, and the question that comes before what hurts. */
export function usePersonDeeds(
  mine: string | undefined,
  onGone?: () => void,
): { entries: (who: Worker) => MenuEntry[]; question: ReactNode } {
  const t = useWords()
  const [asked, setAsked] = useState<Asked>()
  const entries = (who: Worker): MenuEntry[] => {
    // Nobody blocks themselves.
    if (mine === undefined || who.email === mine) return []
    if (who.state === 'invited')
      return [
        {
          key: 'resend',
          label: t('team.actions.resend'),
          icon: Mail,
          onPress: () => void run(t, 'invited', who, () => call(resendInvitation, { id: who.id })),
        },
        {
          key: 'revoke',
          label: t('team.actions.revoke'),
          icon: UserMinus,
          tone: 'danger',
          onPress: () => setAsked({ deed: 'revoke', who }),
        },
      ]
    return [
      who.state === 'blocked'
        ? {
            key: 'unblock',
            label: t('team.actions.unblock'),
            icon: ShieldCheck,
            onPress: () => void run(t, 'unblocked', who, () => call(unblockWorker, { id: who.id })),
          }
        : {
            key: 'block',
            label: t('team.actions.block'),
            icon: Ban,
            onPress: () => setAsked({ deed: 'block', who }),
          },
      {
        key: 'remove',
        label: t('team.actions.remove'),
        icon: UserMinus,
        tone: 'danger',
        onPress: () => setAsked({ deed: 'remove', who }),
      },
    ]
  }
  const done = { block: 'blocked', remove: 'removed', revoke: 'revoked' } as const
  const question = asked && (
    <Question
      isOpen
      danger
      onClose={() => setAsked(undefined)}
      title={t(`team.ask.${asked.deed}`, { name: asked.who.name })}
      verb={t(`team.actions.${asked.deed}`)}
      onConfirm={async () => {
        const { deed, who } = asked
        await run(t, done[deed], who, () =>
          call(deed === 'block' ? blockWorker : removeWorker, { id: who.id }),
        )
        if (deed !== 'block') onGone?.()
      }}
    >
      {t(`team.ask.${asked.deed}Text`)}
      {asked.deed !== 'revoke' && <LeavesOf userId={asked.who.id} deed={asked.deed} />}
    </Question>
  )
  return { entries, question }
}

export const getWorker = callsOf(workers as never).get
