// Command controlplane holds etcd, the Kubernetes control plane, kubelet and kubectl in one binary, so that they are
// compiled and linked once. The name it is called by (a link beside it) says which of them it is.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	programs := map[string]func(){
		"etcd":                    func() { etcdmain.Main(os.Args) },
		"kube-apiserver":          func() { os.Exit(cli.Run(apiserver.NewAPIServerCommand())) },
		"kube-controller-manager": func() { os.Exit(cli.Run(controllermanager.NewControllerManagerCommand())) },
		"kube-scheduler":          func() { os.Exit(cli.Run(scheduler.NewSchedulerCommand())) },
		"kubelet":                 func() { os.Exit(cli.Run(kubelet.NewKubeletCommand(context.Background()))) },
		"kubectl": func() {
			if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
				os.Exit(1)
			}
		},
	}
	program, known := programs[filepath.Base(os.Args[0])]
	if !known {
		fmt.Fprintln(os.Stderr, "call this binary by the name of a component; unknown:", os.Args[0])
		os.Exit(2)
	}
	program()
}
