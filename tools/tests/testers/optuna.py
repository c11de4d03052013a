"""A stand-in for Optuna, for tests of `tester tune` without it: values in a fixed order, the simplest pruning.

As much of its interface as tune.py uses. A trial is worse as soon as its mean over 30 cases is worse than the best
trial's on the same cases.
"""


class TrialPruned(Exception):
    pass


class Namespace:
    def __init__(self, **names):
        self.__dict__.update(names)


class Nothing:
    def __init__(self, **settings):
        self.settings = settings


__version__ = "3.6.0"
exceptions = Namespace(ExperimentalWarning=Warning)
logging = Namespace(ERROR=40, set_verbosity=lambda level: None)
pruners = Namespace(WilcoxonPruner=Nothing, NopPruner=type("NopPruner", (Nothing,), {}))
samplers = Namespace(TPESampler=Nothing)
trial = Namespace(TrialState=Namespace(COMPLETE="complete", PRUNED="pruned"))


class Trial:
    def __init__(self, study, number, enqueued):
        self.study, self.number, self.enqueued = study, number, enqueued
        self.params, self.user_attrs, self.reported = {}, {}, {}
        self.state, self.value = None, None

    def suggest_float(self, name, low, high, log=False):
        share = self.number * 0.25 % 1
        value = low * (high / low) ** share if log else low + (high - low) * share
        self.params[name] = self.enqueued.get(name, value)
        return self.params[name]

    def suggest_int(self, name, low, high):
        self.params[name] = round(self.suggest_float(name, low, high))
        return self.params[name]

    def set_user_attr(self, name, value):
        self.user_attrs[name] = value

    def report(self, value, step):
        self.reported[step] = value

    def should_prune(self):
        done = [other for other in self.study.trials if other.state == "complete"]
        if not done or len(self.reported) < 30 or type(self.study.pruner) is pruners.NopPruner:
            return False
        best = self.study.best_trial.reported
        worse = sum(self.reported.values()) - sum(best[step] for step in self.reported)
        return worse * self.study.sign > 0


class Study:
    def __init__(self, direction, pruner):
        self.sign = -1 if direction == "maximize" else 1
        self.pruner, self.trials, self.queue = pruner, [], []
        self.stopped = False

    def stop(self):
        self.stopped = True

    def enqueue_trial(self, values):
        self.queue.append(values)

    @property
    def best_trial(self):
        done = [other for other in self.trials if other.state == "complete"]
        return min(done, key=lambda other: other.value * self.sign)

    def optimize(self, objective, n_trials, n_jobs):
        self.stopped = False
        for _ in range(n_trials):
            if self.stopped:
                break
            one = Trial(self, len(self.trials), self.queue.pop(0) if self.queue else {})
            self.trials.append(one)
            try:
                one.value = objective(one)
                one.state = "complete"
            except TrialPruned:
                one.state = "pruned"


def create_study(direction, sampler, pruner):
    return Study(direction, pruner)
