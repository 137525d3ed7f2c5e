import type { Ctx } from '#kit/server/context.ts'

/** Something that charges a saved card automatically, such as a standing order. */
export interface CardUse {
  cardId: string
  /** As people know it. */
  name: string
  href: string
}

/**
 * A feature that leans on kept cards says what of it does, and hears when one is not there any more. All of
 * it runs in the caller's transaction.
 */
export interface CardUser {
  /** What is charged to these cards and is not over. */
  uses: (ctx: Ctx, cardIds: readonly string[]) => Promise<CardUse[]>
  /** A card was removed: whatever charges it needs another one. */
  removed: (ctx: Ctx, cardId: string) => Promise<void>
  /**
   * A card can be charged no longer, and its owner is asked for another: its terminal was moved, or the
   * acquirer says no.
   */
  lost?: (ctx: Ctx, cardId: string) => Promise<void>
  /** Another card took its place; `cardById` finds it either way. */
  replaced?: (ctx: Ctx, oldId: string, newId: string) => Promise<void>
}

const users: CardUser[] = []

export const registerCardUser = (user: CardUser): void => void users.push(user)

/** All of them, asked as one. */
export const usersOf = (): Required<CardUser> => ({
  uses: async (ctx, cardIds) => {
    const found: CardUse[] = []
    for (const user of cardIds.length ? users : []) found.push(...(await user.uses(ctx, cardIds)))
    return found
  },
  removed: async (ctx, cardId) => {
    for (const user of users) await user.removed(ctx, cardId)
  },
  lost: async (ctx, cardId) => {
    for (const user of users) await user.lost?.(ctx, cardId)
  },
  replaced: async (ctx, oldId, newId) => {
    for (const user of users) await user.replaced?.(ctx, oldId, newId)
  },
})
