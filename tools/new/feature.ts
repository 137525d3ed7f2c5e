import { featurePlaces } from '#kit/server/features.ts'
import { listFeature } from './edits.ts'
import { nextRules, pascal, Refusal, refuseTwins, type Template } from './plan.ts'

/** A feature with its rights, its server entry and a screen: the smallest thing that can be opened. */
export const feature: Template = {
  usage:
    'feature <wing>/<name> --title="Leads" --emptyTitle="Your leads will appear here" --emptyText="Add whoever asked for a price."',
  asks: {
    title: 'What is it called on its screen',
    emptyTitle: 'What does the empty screen say',
    emptyText: 'What is the screen for, in one sentence',
  },
  make: async ({ name, folder }) => {
    if (featurePlaces().some((place) => place.name === name))
      throw new Refusal(`there is a feature ${name} already`)
    refuseTwins('name', name)
    const [see, change] = await nextRules()
    return {
      files: {
        [`${folder}/rules.ts`]: rules(name, see, change),
        [`${folder}/server/index.ts`]: `import type { Implementation } from '#kit/server/contract/implement.ts'
import '../rules.ts'

/** The calls of this feature: described resources and commands. */
export const implementations: Implementation[] = []
`,
        [`${folder}/web/screens.ts`]: `import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  { name: '${name}', path: '/invoice/${name}', open: 'login', rule: '${name}.see', feature: '${name}', load: () => import('./${pascal(name)}.tsx') },
]
`,
        [`${folder}/web/${pascal(name)}.tsx`]: `import { Sprout } from 'lucide-react'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { useWords } from '#kit/web/words/words.tsx'

export function Screen() {
  const t = useWords()
  return (
    <>
      <PageHeader title={t('screens.${name}')} />
      <EmptyState icon={Sprout} title={t('${name}.empty.title')}>
        {t('${name}.empty.text')}
      </EmptyState>
    </>
  )
}
`,
      },
      texts: {
        [`screens.${name}`]: 'title',
        [`${name}.empty.title`]: 'emptyTitle',
        [`${name}.empty.text`]: 'emptyText',
        ...wordsOfRules(name, 'title'),
      },
      edits: [listFeature(name, folder)],
      steps: [
        `${folder}/web/screens.ts: give the screen its place in the menu (menu: { group, icon, order }), or leave it to links`,
        `npm run new resource ${name}/<name> adds a described thing to it`,
      ],
    }
  },
}

/** The words of a feature's two rights, in the table of rights. */
export const wordsOfRules = (feature: string, title: string): Record<string, string> => ({
  [`team.areas.${feature}`]: title,
  [`team.rules.${feature}.see`]: '"See"',
  [`team.rules.${feature}.change`]: '"Add and change"',
})

export const rules = (
  feature: string,
  see: number,
  change: number,
): string => `import { defineRules } from '#kit/describe/session.ts'

defineRules({ '${feature}.see': ${see}, '${feature}.change': ${change} })
`
