import type { Ctx } from '#kit/server/context.ts'

/** What a feature does in the transaction that cancels an expense. */
type Cancelled = (ctx: Ctx, expenseId: string) => Promise<void>

const followers: Cancelled[] = []

/** Registers what follows the cancellation of an expense, regardless of who cancels it and where. */
export const followCancelledExpenses = (follower: Cancelled): void => void followers.push(follower)

export async function tellCancelled(ctx: Ctx, expenseId: string): Promise<void> {
  for (const follower of followers) await follower(ctx, expenseId)
}
