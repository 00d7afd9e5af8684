/*
 * Calls that another process can end by SIGINT when they take too long: the engine continues with
 * the next candidate, and need not be started again. Outside of such a call the signal ends the
 * process.
 */
import vm from "node:vm";

const slot = "rondo.call"; /* gone before the call begins */
const caller = new vm.Script(`{
	const slot = Symbol.for("${slot}"), call = globalThis[slot];
	delete globalThis[slot];
	call();
}`);

/* Whether a signal came that ended a call, so that it is not still on its way. */
export const interruption = { came: false };

export const wasInterrupted = (error) => error?.code === "ERR_SCRIPT_EXECUTION_INTERRUPTED";

export function interruptible(call) {
	let result;
	globalThis[Symbol.for(slot)] = () => {
		result = call();
	};
	try {
		caller.runInThisContext({ breakOnSigint: true, displayErrors: false });
	} catch (error) {
		interruption.came ||= wasInterrupted(error);
		throw error;
	}
	return result;
}
