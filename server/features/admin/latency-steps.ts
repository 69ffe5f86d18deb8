/** Upper ends of the steps in which the latency of events is counted, in milliseconds; one more step has no end. */
export const latencySteps = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const
